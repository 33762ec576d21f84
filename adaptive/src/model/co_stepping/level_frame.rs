//! Co-stepping of one level: the steps of a level by itself, with contact between kick and drift.

use pliant_core::boundary::BoundaryConditions;
use pliant_core::model::{StepError, WorkBudget};

use crate::model::adaptive_model::AdaptiveModel;
use crate::model::co_stepping::cut_work::NEIGHBOURS_PER_TET;
use crate::model::co_stepping::state::{CoSteppedFrame, LastFrame};
use crate::model::divergence;

impl AdaptiveModel {
    /// Begins a frame of one level in `steps` equal steps.
    pub(crate) fn begin_level(
        &mut self,
        duration: f64,
        boundary: &BoundaryConditions,
        steps: u32,
    ) -> Result<(), StepError> {
        self.dissipated = self.dissipation_until_now();
        self.apply_gravity_and_loads(boundary);
        if !self.co_stepping.last.is_rated {
            self.scan = self.steps.scan(&self.dynamics.positions);
            self.steps.raise(&self.scan);
        }
        self.substeps = steps.max(1);
        if let Some(cause) = divergence::refusal(self) {
            return Err(self.diverged(cause));
        }
        self.last_step = duration / f64::from(self.substeps);
        // bodies of a group sleep as wholes
        self.wake_all_pieces();
        self.begin_steps(duration, boundary, WorkBudget::UNLIMITED, true);
        Ok(())
    }

    /// Kicks at the beginning of step `step`, which is `h` seconds long and begins at `time` (s) of a frame of `duration` seconds; contact between pieces acts, then constraints.
    pub(crate) fn kick_level(
        &mut self,
        step: u32,
        h: f64,
        time: f64,
        duration: f64,
        limit: [f64; 2],
    ) {
        self.account_forces(h, h / duration);
        let dynamics = &mut self.dynamics;
        self.contact.save_before_kick(&dynamics.velocities);
        dynamics.kick(h, &self.gravity);
        self.contact.save_after_kick(&dynamics.velocities);
        if self.has_exploded(limit) {
            self.abort_frame(step);
            return;
        }
        self.constrain_step(time, h, duration);
        if self.acts_before_others() {
            self.contact
                .save_after_constraints(&self.dynamics.velocities);
        }
    }

    /// Whether constraints or contact between pieces act in a step, before contact with other bodies and tools does.
    fn acts_before_others(&self) -> bool {
        !self.projection.is_empty() || self.touches_itself()
    }

    /// Moves all nodes for `h` seconds.
    pub(crate) fn drift_level(&mut self, h: f64) {
        let acts_before = self.acts_before_others();
        let (v, masses) = (&self.dynamics.velocities, &self.dynamics.masses);
        let [work, by_contact] = self.contact.work_of_group_step(v, masses, acts_before);
        self.work += work;
        self.co_stepping.contact_work += by_contact;
        if self.touches_itself() {
            self.account_self_contact();
        }
        self.drift_for(h);
        self.forces_are_current = false;
    }

    /// Ends a frame of one level: its account and its reactions.
    pub(crate) fn end_level(&mut self, mut frame: CoSteppedFrame) -> Result<(), StepError> {
        if self.co_stepping.has_final_contact {
            let dynamics = &self.dynamics;
            let work = self
                .contact
                .work_of_last_kick(&dynamics.velocities, &dynamics.masses);
            self.count_contact_work(work);
        }
        self.refresh();
        let energy = self.energy();
        if let Some(what) = divergence::level_symptom(self, &energy) {
            let why = divergence::cause(self, frame.too_fast.take(), frame.duration);
            self.co_stepping.failed_step = Some(self.substeps);
            self.restore_last_good();
            return Err(self.diverged(format!("{what}; {why}")));
        }
        self.account_constraints();
        self.reactions.clear();
        self.reactions
            .extend_from_slice(self.projection.end_frame());
        self.add_contact_to_supports();
        self.scan = self.steps.scan(&self.dynamics.positions);
        self.steps.substeps(&self.scan, frame.duration);
        self.co_stepping.last = LastFrame {
            is_rated: true,
            kinetic_energy: Some(self.dynamics.kinetic_energy()),
            account: Some(energy),
        };
        Ok(())
    }

    /// Largest share of an impulse that spreads within a step of the present frame, see [`pliant_core::model::SteppedModel::spread_within_step`]; for a free body.
    pub(crate) fn level_impulse_spread(&self) -> f64 {
        let nodes = self.dynamics.positions.len() as f64;
        let corners = 4 * self.dynamics.field.element_count();
        // within the longest stable step an impulse reaches the neighbours; in a shorter one its share is smaller by the square of the ratio
        let step_ratio = self.last_step * self.steps.memory()[0];
        let share = (step_ratio * step_ratio).min(1.0);
        share * ((1.0 + NEIGHBOURS_PER_TET * corners as f64 / nodes) / nodes).min(1.0)
    }
}
