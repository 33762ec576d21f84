//! Energies and reactions of a body on a cut.

use pliant_core::boundary::BoundaryConditions;
use pliant_core::model::EnergyAccount;

use crate::model::adaptive_model::AdaptiveModel;
use crate::model::cut_body::state::CutBody;

impl AdaptiveModel {
    /// Computes the reactions of constraints and supports, mean over the last frame.
    pub(crate) fn collect_reactions(&mut self, body: &CutBody, duration: f64) {
        let impulses = &body.frame_totals.support_impulses;
        for (reaction, impulse) in self.support_reactions.iter_mut().zip(impulses) {
            *reaction = -impulse / duration;
        }
        self.reactions.clear();
        self.reactions
            .extend_from_slice(self.projection.end_frame());
        self.add_contact_to_supports();
    }

    /// Sets the gravity of a frame. A change of gravity counts as work.
    pub(crate) fn take_gravity(&mut self, body: &CutBody, boundary: &BoundaryConditions) {
        if boundary.gravity != self.gravity {
            let potential = |g| self.potential_of_cut(&body.dynamics, g);
            self.work += potential(&boundary.gravity) - potential(&self.gravity);
            self.gravity = boundary.gravity;
        }
    }

    /// Records the figures of a successful frame, and checks its energy for a gain without work.
    pub(crate) fn record_cut_frame(
        &mut self,
        body: &mut CutBody,
        energy: &EnergyAccount,
        is_touched: bool,
    ) {
        let dynamics = &mut body.dynamics;
        if body.monitor.update(energy, is_touched) {
            dynamics.steps.extra_levels = body.monitor.extra_levels();
            dynamics.needs_coupling = true;
        }
        self.substeps = body.frame_totals.ticks;
        self.blended = body.frame_totals.blended;
        self.scan.near_inverted = dynamics.steps.near_inverted;
    }

    pub(crate) fn cut_energy(&self, body: &CutBody) -> EnergyAccount {
        let kinetic = body
            .dynamics
            .kinetic_energy_between(|n| self.contact.kick(n));
        self.account_of(body, kinetic)
    }

    /// The energy account of a body with this kinetic energy, J.
    pub(crate) fn account_of(&self, body: &CutBody, kinetic: f64) -> EnergyAccount {
        EnergyAccount {
            kinetic,
            elastic: body.dynamics.elastic_energy(),
            potential: self.potential_of_cut(&body.dynamics, &self.gravity),
            dissipated: self.dissipated,
            work: self.work,
        }
    }
}
