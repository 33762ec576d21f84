//! Co-stepping of one level: the steps of a level by itself, with contact between kick and drift.

use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::Vec3;
use pliant_core::model::StepError;

use crate::model::adaptive_model::AdaptiveModel;
use crate::model::co_stepping::cut_work::NEIGHBOURS;
use crate::model::co_stepping::state::CoSteppedFrame;
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
        self.take_over(boundary);
        if !self.co_stepping.is_rated {
            self.scan = self.steps.scan(&self.dynamics.positions);
            self.steps.raise(&self.scan);
        }
        self.substeps = steps.max(1);
        if let Some(cause) = divergence::refusal(self) {
            return Err(self.diverged(cause));
        }
        let step = duration / f64::from(self.substeps);
        self.last_step = step;
        self.blended = 0;
        self.support_reactions.fill(Vec3::zeros());
        let asset = self.asset.clone();
        self.projection.begin_frame(
            boundary.displacements(),
            &asset.levels[self.level].embedding,
            &self.dynamics.inverse_masses,
            &self.dynamics.positions,
            duration,
        );
        let nodes = self.dynamics.positions.len();
        self.contact.begin_frame_of(0..nodes as u32, nodes);
        let potential = self.potential_now().abs();
        self.begin_co_stepped_frame(duration, boundary, potential);
        Ok(())
    }

    /// Kicks at the beginning of step `step`, which is `h` seconds long and begins at `time` (s) of a frame of `duration` seconds; constraints act.
    pub(crate) fn kick_level(
        &mut self,
        step: u32,
        h: f64,
        time: f64,
        duration: f64,
        limit: [f64; 2],
    ) {
        self.note_forces(h, h / duration);
        let dynamics = &mut self.dynamics;
        self.contact.before(&dynamics.velocities);
        dynamics.kick(h, &self.gravity);
        self.contact.kicked(&dynamics.velocities);
        if self.has_exploded(limit) {
            self.give_up(step);
            return;
        }
        if !self.projection.is_empty() {
            let dynamics = &mut self.dynamics;
            let (x, w) = (&dynamics.positions, &dynamics.inverse_masses);
            self.projection
                .project(&mut dynamics.velocities, x, w, time, h, duration);
        }
    }

    /// Moves all nodes for `h` seconds.
    pub(crate) fn drift_level(&mut self, h: f64) {
        let dynamics = &self.dynamics;
        self.work += self.contact.after(&dynamics.velocities, &dynamics.masses);
        self.drift_for(h);
        self.fresh = false;
    }

    /// Ends a frame of one level: its account and its reactions.
    pub(crate) fn end_level(&mut self, mut frame: CoSteppedFrame) -> Result<(), StepError> {
        if self.co_stepping.is_pushed_last {
            let dynamics = &self.dynamics;
            self.work += self
                .contact
                .after_end(&dynamics.velocities, &dynamics.masses);
        }
        self.refresh();
        let energy = self.energy();
        if let Some(what) = divergence::level_symptom(self, &energy) {
            let why = divergence::cause(self, frame.too_fast.take(), frame.duration);
            self.co_stepping.failed = Some(self.substeps);
            self.freeze();
            return Err(self.diverged(format!("{what}; {why}")));
        }
        self.reactions.clear();
        self.reactions
            .extend_from_slice(self.projection.end_frame());
        self.add_contact_to_supports();
        self.scan = self.steps.scan(&self.dynamics.positions);
        self.steps.substeps(&self.scan, frame.duration);
        let co_stepping = &mut self.co_stepping;
        co_stepping.is_rated = true;
        co_stepping.last_kinetic_energy = Some(self.dynamics.kinetic_energy());
        co_stepping.account = Some(energy);
        Ok(())
    }

    /// Largest share of an impulse that is handed on within a step of the present frame; for a free body.
    pub(crate) fn level_handed_on(&self) -> f64 {
        let nodes = self.dynamics.positions.len() as f64;
        let corners = 4 * self.dynamics.field.element_count();
        // a stable step hands an impulse on to the neighbours, a shorter one less by the square of its length
        let own = self.last_step * self.steps.memory()[0];
        let handed = (own * own).min(1.0);
        handed * ((1.0 + NEIGHBOURS * corners as f64 / nodes) / nodes).min(1.0)
    }
}
