//! One frame of a body on a cut, and the remedies if it fails.

use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::Vec3;
use pliant_core::model::{Degradation, EnergyAccount, FrameReport, StepError, WorkBudget};

use crate::model::adaptive_model::AdaptiveModel;
use crate::model::cut_body::adapt::CutDemand;
use crate::model::cut_body::state::{CutBody, RETRY_LEVELS, TOUCH_STEP};
use crate::model::divergence;
use crate::step::multirate::FrameConstraints;

/// A remedy for a failed frame.
enum Remedy {
    /// All elements fire four times as often.
    ShorterSteps,
    /// Nodes of torn elements are put back, and all nodes stop.
    PutBack,
}

/// The remedies in order. If the last one fails, the body is held for the frame, if it may be; otherwise the frame fails.
const REMEDIES: &[Remedy] = &[Remedy::ShorterSteps, Remedy::ShorterSteps, Remedy::PutBack];

impl AdaptiveModel {
    /// A frame of a body that moves on a cut; see [`pliant_core::model::DeformableModel::advance`].
    pub(crate) fn run_cut_frame(
        &mut self,
        body: &mut CutBody,
        duration: f64,
        boundary: &BoundaryConditions,
        budget: WorkBudget,
    ) -> Result<FrameReport, StepError> {
        let before = (self.time, self.dissipated, self.work, self.lost_in_contact);
        self.co_stepping.invalidate();
        self.take_gravity(body, boundary);
        let constraints = boundary.displacements();
        let (forest, skin) = (&body.dynamics.forest, &self.asset.skin);
        body.focus
            .update(forest, skin, constraints, &self.reactions);
        let rests = constraints.iter().all(|c| c.velocity == Vec3::zeros());
        let is_held = !constraints.is_empty() && rests;
        let demand = CutDemand {
            rows: constraints.len(),
            reserve: 0,
            is_held,
            may_grow: true,
            may_regrow: true,
        };
        self.adapt_cut(body, demand, budget, duration);
        body.attach(boundary);
        let mut degradation = body.ease_constraints();
        let is_touched = !boundary.displacements().is_empty();
        let longest_step = if is_touched {
            TOUCH_STEP
        } else {
            f64::INFINITY
        };
        let degradation_level = body.degradation.present();
        body.update_steps_at(&degradation_level, duration, longest_step);
        if body.dynamics.steps.is_torn {
            self.dissipated += self.recover_inverted_elements(body, false);
            body.update_steps_at(&degradation_level, duration, longest_step);
        }
        let simulated =
            body.choose_degradation_level(duration, longest_step, self.params.overrun_allowance);
        body.dynamics.update_groups();
        body.save_good_state();
        let frame = self.run_with_remedies(body, boundary, duration, simulated, longest_step);
        let energy = match frame {
            Ok((energy, hold)) => {
                degradation = hold.or(degradation);
                energy
            }
            Err(cause) => {
                self.contact.clear_kicks();
                let error = self.diverged(cause);
                (self.time, self.dissipated, self.work, self.lost_in_contact) = before;
                return Err(error);
            }
        };
        // released constraints, and those of a held body, have no reaction
        let constraints = boundary.displacements().len();
        self.reactions.resize(constraints, Vec3::zeros());
        let touched = boundary.displacements().iter();
        body.fade
            .advance(duration, touched.map(|c| c.vertex as usize));
        self.record_cut_frame(body, &energy, is_touched);
        let work_used = body.units();
        body.degradation.count(body.dynamics.constants.is_damped());
        Ok(FrameReport {
            substeps: self.substeps,
            work_used,
            degraded: degradation.or(body.present_degradation()).or_else(|| {
                (body.withheld || work_used as f64 > body.budget)
                    .then_some(Degradation::RefinementWithheld)
            }),
            max_violation: match degradation {
                None => self.projection.violation(&body.dynamics.positions),
                Some(_) => body.violation(boundary.displacements()),
            },
            energy: Some(energy.with_dissipated_work(self.lost_in_contact)),
        })
    }

    /// Computes a frame of `duration` seconds whose steps are chosen, with one remedy after the other until it succeeds. `simulated` is the time that passes in it (s), and `longest_step` the longest
    /// time between firings of elements that a tool holds (s). Returns its energy account, and the degradation where the body was held.
    ///
    /// # Errors
    /// The cause, where no remedy is left.
    fn run_with_remedies(
        &mut self,
        body: &mut CutBody,
        boundary: &BoundaryConditions,
        duration: f64,
        simulated: f64,
        longest_step: f64,
    ) -> Result<(EnergyAccount, Option<Degradation>), String> {
        let mut totals = (self.time, self.dissipated, self.work);
        let mut remedies = REMEDIES.iter();
        loop {
            let cause = if let Some(cause) = divergence::cut_refusal(&body.dynamics) {
                // no remedy reduces the number of steps
                remedies = Default::default();
                cause
            } else {
                self.try_cut_frame(body, simulated);
                let energy = self.cut_energy(body);
                let Some(what) = divergence::cut_symptom(self, body, &energy) else {
                    self.account_constraints();
                    body.fallback_hold.successive = body.fallback_hold.successive.saturating_sub(1);
                    return Ok((energy, None));
                };
                let too_fast = divergence::too_fast(self, boundary, duration);
                let why = divergence::cut_cause(body, too_fast, duration);
                body.restore_good_state();
                format!("{what}; {why}")
            };
            let may_follow = divergence::too_fast(self, boundary, duration).is_none();
            match remedies.next() {
                Some(Remedy::ShorterSteps) => {}
                Some(Remedy::PutBack) if may_follow => {
                    totals.1 += self.recover_inverted_elements(body, true);
                    body.dynamics
                        .prepare_frame(simulated, &body.touched, longest_step);
                }
                _ if self.may_hold(body, boundary, duration) => {
                    (self.time, self.dissipated, self.work) = totals;
                    let energy = self.hold_still(body, cause, simulated);
                    return Ok((energy, Some(Degradation::StoodStill)));
                }
                _ => return Err(cause),
            }
            (self.time, self.dissipated, self.work) = totals;
            body.dynamics.raise_levels(RETRY_LEVELS);
        }
    }

    fn try_cut_frame(&mut self, body: &mut CutBody, duration: f64) {
        let dynamics = &mut body.dynamics;
        let nodes = dynamics.positions.len();
        self.projection.begin_frame(
            &body.constraints,
            &body.embedding,
            &dynamics.inverse_masses,
            &dynamics.positions,
            duration,
        );
        self.contact
            .begin_frame(&body.constraints, &body.embedding, &[], nodes);
        let is_touched = !self.projection.is_empty();
        let mut part = FrameConstraints {
            work: is_touched.then_some(&mut self.contact),
            ..FrameConstraints::new(&mut self.projection, &body.touched, TOUCH_STEP)
        };
        dynamics.fire(duration, &self.gravity, &mut part, &mut body.frame_totals);
        self.time += duration;
        self.dissipated += body.frame_totals.dissipated;
        self.work += body.frame_totals.work;
        self.collect_reactions(body, duration);
    }
}
