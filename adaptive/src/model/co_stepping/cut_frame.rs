//! Co-stepping of a cut.
//!
//! Frames are halved only, so that all bodies meet at the same times. A group takes as many steps as the fastest elements around a touched node of any body fire; faster
//! elements elsewhere fire within these steps. Elements around a touched node have the same rate. Contact acts as often as they do, or as often as those of a faster
//! body in contact: then these elements fire at least half as often.

use pliant_core::model::{EnergyAccount, StepError};

use crate::model::adaptive_model::AdaptiveModel;
use crate::model::cut_body::state::{CutBody, RETRY_LEVELS, TOUCH_STEP};
use crate::model::divergence;
use crate::params::Scheme;
use crate::step::multirate::FrameConstraints;
use crate::step::multirate::GroupState;

impl AdaptiveModel {
    /// Starts a frame of a cut with `steps` equal steps.
    pub(crate) fn begin_cut(
        &mut self,
        body: &mut CutBody,
        duration: f64,
        steps: u32,
    ) -> Result<(), StepError> {
        body.save_good_state();
        if self.params.scheme == Scheme::NodeJump {
            let cause = "nodes with steps of their own cannot be stepped together with other bodies: adaptive.scheme has to be `element-impulses`";
            return Err(self.diverged(cause.to_string()));
        }
        let dynamics = &mut body.dynamics;
        if std::mem::take(&mut body.co_stepping.needs_shorter_steps) {
            dynamics.raise_levels(RETRY_LEVELS);
        }
        if dynamics.group_state != GroupState::Packed {
            dynamics.regroup();
        }
        if !dynamics.forces_are_current {
            dynamics.evaluate_groups();
        }
        if let Some(cause) = divergence::cut_refusal(dynamics) {
            return Err(self.diverged(cause));
        }
        // contact ended the last frame, except for constraints
        if body.constraints.is_empty() {
            dynamics
                .half_step_velocities
                .copy_from_slice(&dynamics.velocities);
        }
        let (x, w) = (&dynamics.positions, &dynamics.inverse_masses);
        let (constraints, embedding) = (&body.constraints, &body.embedding);
        self.projection
            .begin_frame(constraints, embedding, w, x, duration);
        self.contact
            .begin_frame_on_nodes(dynamics.operators.active().iter().copied(), x.len());
        let part = FrameConstraints::new(&mut self.projection, &body.touched, TOUCH_STEP);
        let schedule = dynamics.begin_co_stepping(duration, steps, &part, &mut body.frame_totals);
        body.co_stepping.stride = schedule.ticks / steps.max(1);
        body.co_stepping.schedule = schedule;
        self.last_step = duration / f64::from(steps.max(1));
        self.substeps = schedule.ticks;
        Ok(())
    }

    /// Applies the kicks at the beginning of step `step`.
    pub(crate) fn kick_cut(&mut self, body: &mut CutBody, step: u32) {
        let (schedule, now) = (body.co_stepping.schedule, step * body.co_stepping.stride);
        let dynamics = &mut body.dynamics;
        dynamics.drift_all(&schedule, now);
        self.contact.save_before_kick(match now {
            0 => &dynamics.half_step_velocities,
            _ => &dynamics.velocities,
        });
        let held = !self.projection.is_empty();
        let mut part = FrameConstraints::new(&mut self.projection, &body.touched, TOUCH_STEP);
        dynamics.evaluate_and_kick(
            &schedule,
            now,
            &self.gravity,
            &mut part,
            &mut body.frame_totals,
        );
        self.contact.save_after_kick(&dynamics.velocities);
        dynamics.apply_constraints(&schedule, now, &mut part, &mut body.frame_totals);
        if held {
            self.contact.save_after_constraints(&dynamics.velocities);
        }
    }

    /// Drifts to the next step, with all firings in between.
    pub(crate) fn drift_cut(&mut self, body: &mut CutBody, step: u32) {
        let (schedule, stride) = (body.co_stepping.schedule, body.co_stepping.stride);
        let dynamics = &mut body.dynamics;
        let held = !self.projection.is_empty();
        let (v, masses) = (&dynamics.velocities, &dynamics.masses);
        let [work, by_contact] = self.contact.work_of_group_step(v, masses, held);
        self.work += work;
        self.co_stepping.contact_work += by_contact;
        let mut part = FrameConstraints {
            work: held.then_some(&mut self.contact),
            ..FrameConstraints::new(&mut self.projection, &body.touched, TOUCH_STEP)
        };
        let ticks = (step * stride, (step + 1) * stride);
        dynamics.drift_from(
            &schedule,
            ticks,
            &self.gravity,
            &mut part,
            &mut body.frame_totals,
        );
    }

    /// Applies half of the kicks at the end of the frame.
    pub(crate) fn last_kick_of_cut(&mut self, body: &mut CutBody) {
        let dynamics = &mut body.dynamics;
        self.contact.save_before_kick(&dynamics.velocities);
        dynamics.finish(
            &body.co_stepping.schedule,
            &self.gravity,
            &mut body.frame_totals,
        );
        self.contact.save_after_kick(&dynamics.velocities);
    }

    /// Ends a frame after its last kick. Returns its energy account.
    ///
    /// # Errors
    /// What is wrong with the state.
    pub(crate) fn end_cut(
        &mut self,
        body: &mut CutBody,
        duration: f64,
    ) -> Result<EnergyAccount, String> {
        let dynamics = &mut body.dynamics;
        let work = self
            .contact
            .work_of_last_kick(&dynamics.velocities, &dynamics.masses);
        self.count_contact_work(work);
        dynamics.update_ghosts();
        self.time += duration;
        self.dissipated += body.frame_totals.dissipated;
        self.work += body.frame_totals.work;
        self.collect_reactions(body, duration);
        // half of the impulse of a constraint belongs to the next frame; contact with others ended this one
        self.contact.retain(|n| body.touches(n as u32));
        let energy = self.cut_energy(body);
        match divergence::cut_symptom(self, body, &energy) {
            Some(what) => Err(what),
            None => {
                self.account_constraints();
                body.co_stepping.needs_shorter_steps = false;
                body.fallback_hold.successive = body.fallback_hold.successive.saturating_sub(1);
                let touched = body.attached.iter().map(|&v| v as usize);
                body.fade.advance(duration, touched);
                let is_touched = body.co_stepping.is_touched;
                self.record_cut_frame(body, &energy, is_touched);
                Ok(energy)
            }
        }
    }

    /// Ends a failed frame: restores the state at its beginning. Returns the cause.
    pub(crate) fn fail_cut(
        &mut self,
        body: &mut CutBody,
        too_fast: Option<String>,
        duration: f64,
    ) -> String {
        let cause = divergence::cut_cause(body, too_fast, duration);
        body.restore_good_state();
        self.contact.clear_kicks();
        body.co_stepping.needs_shorter_steps = true;
        cause
    }
}
