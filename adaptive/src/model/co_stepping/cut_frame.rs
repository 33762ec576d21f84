//! Co-stepping of a cut.
//!
//! Frames are halved only, so that all bodies meet at the same times. A group takes as many steps as the fastest elements around a touched node of any body fire; what is
//! faster elsewhere fires within these steps. Elements around a touched node have the same rate. Contact acts as often as they do, or as those of a faster body that it
//! touches do: its own follow at half that rate.

use pliant_core::model::{EnergyAccount, StepError};

use crate::model::adaptive_model::AdaptiveModel;
use crate::model::cut_body::state::{CutBody, RETRY_LEVELS, TOUCH_STEP};
use crate::model::divergence;
use crate::params::Scheme;
use crate::step::multirate::ContactPart;

impl AdaptiveModel {
    /// Begins a frame of a cut in `steps` equal steps.
    pub(crate) fn begin_cut(
        &mut self,
        body: &mut CutBody,
        duration: f64,
        steps: u32,
    ) -> Result<(), StepError> {
        body.save_good();
        if self.params.scheme == Scheme::NodeJump {
            let cause = "nodes with steps of their own cannot be stepped together with other bodies: adaptive.scheme has to be `element-impulses`";
            return Err(self.diverged(cause.to_string()));
        }
        let dynamics = &mut body.dynamics;
        if std::mem::take(&mut body.co_stepping.hurries) {
            dynamics.hurry(RETRY_LEVELS);
        }
        if !dynamics.has_groups {
            dynamics.regroup();
        }
        if !dynamics.is_fresh {
            dynamics.refresh();
        }
        if let Some(cause) = divergence::cut_refusal(dynamics) {
            return Err(self.diverged(cause));
        }
        // contact ended the last frame, except for constraints
        if body.constraints.is_empty() {
            dynamics.lead.copy_from_slice(&dynamics.velocities);
        }
        let (x, w) = (&dynamics.positions, &dynamics.inverse_masses);
        let (constraints, embedding) = (&body.constraints, &body.embedding);
        self.projection
            .begin_frame(constraints, embedding, w, x, duration);
        self.contact
            .begin_frame_of(dynamics.operators.active().iter().copied(), x.len());
        let held = !self.projection.is_empty();
        let part = ContactPart {
            projection: held.then_some(&mut self.projection),
            work: None,
            nodes: &body.touched,
            longest: TOUCH_STEP,
        };
        let schedule = dynamics.begin_co_stepping(duration, steps, &part, &mut body.fired);
        body.co_stepping.stride = schedule.ticks / steps.max(1);
        body.co_stepping.schedule = schedule;
        self.last_step = duration / f64::from(steps.max(1));
        self.substeps = schedule.ticks;
        Ok(())
    }

    /// Kicks at the beginning of step `step`.
    pub(crate) fn kick_cut(&mut self, body: &mut CutBody, step: u32) {
        let (schedule, now) = (body.co_stepping.schedule, step * body.co_stepping.stride);
        let dynamics = &mut body.dynamics;
        dynamics.drift_all(&schedule, now);
        self.contact.before(match now {
            0 => &dynamics.lead,
            _ => &dynamics.velocities,
        });
        let held = !self.projection.is_empty();
        let mut part = ContactPart {
            projection: held.then_some(&mut self.projection),
            work: None,
            nodes: &body.touched,
            longest: TOUCH_STEP,
        };
        dynamics.push(&schedule, now, &self.gravity, &mut part, &mut body.fired);
        self.contact.kicked(&dynamics.velocities);
        dynamics.bind(&schedule, now, &mut part, &mut body.fired);
    }

    /// Moves on to the next step, with what fires on the way.
    pub(crate) fn drift_cut(&mut self, body: &mut CutBody, step: u32) {
        let (schedule, stride) = (body.co_stepping.schedule, body.co_stepping.stride);
        let dynamics = &mut body.dynamics;
        self.work += self.contact.after(&dynamics.velocities, &dynamics.masses);
        let held = !self.projection.is_empty();
        let mut part = ContactPart {
            projection: held.then_some(&mut self.projection),
            work: held.then_some(&mut self.contact),
            nodes: &body.touched,
            longest: TOUCH_STEP,
        };
        let way = (step * stride, (step + 1) * stride);
        dynamics.drift_from(&schedule, way, &self.gravity, &mut part, &mut body.fired);
    }

    /// Half of the kicks, at the end of the frame.
    pub(crate) fn last_kick_of_cut(&mut self, body: &mut CutBody) {
        let dynamics = &mut body.dynamics;
        self.contact.before(&dynamics.velocities);
        dynamics.finish(&body.co_stepping.schedule, &self.gravity, &mut body.fired);
        self.contact.kicked(&dynamics.velocities);
    }

    /// Ends a frame whose last kick was given: its account.
    ///
    /// # Errors
    /// What is wrong with the state.
    pub(crate) fn end_cut(
        &mut self,
        body: &mut CutBody,
        duration: f64,
    ) -> Result<EnergyAccount, String> {
        let dynamics = &mut body.dynamics;
        self.work += self
            .contact
            .after_end(&dynamics.velocities, &dynamics.masses);
        dynamics.follow();
        self.time += duration;
        self.dissipated += body.fired.dissipated;
        self.work += body.fired.work;
        self.collect_reactions(body, duration);
        // half of the impulse of a constraint belongs to the next frame; contact with others ended this one
        self.contact.retain(|n| body.is_held(n));
        let kinetic = body
            .dynamics
            .kinetic_energy_between(|n| self.contact.kick(n));
        let energy = self.account_of(body, kinetic);
        match divergence::cut_symptom(self, body, &energy) {
            Some(what) => Err(what),
            None => {
                body.co_stepping.hurries = false;
                body.fallback_hold.row = body.fallback_hold.row.saturating_sub(1);
                body.fade.pass(duration, &[]);
                if body.monitor.look(&energy, body.co_stepping.is_touched) {
                    body.dynamics.steps.set_lift(body.monitor.lift());
                    body.dynamics.needs_settling = true;
                }
                self.substeps = body.fired.ticks;
                self.blended = body.fired.blended;
                self.scan.near_inverted = body.dynamics.steps.near_inverted();
                Ok(energy)
            }
        }
    }

    /// What is left of a frame that failed, with the cause: the body is where the frame began.
    pub(crate) fn fail_cut(
        &mut self,
        body: &mut CutBody,
        too_fast: Option<String>,
        duration: f64,
    ) -> String {
        let why = divergence::cut_cause(body, too_fast, duration);
        body.freeze();
        self.contact.forget();
        body.co_stepping.hurries = true;
        why
    }
}
