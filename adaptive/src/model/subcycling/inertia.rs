//! The inertia that elements of a free level get where the budget does not suffice (see [`crate::step::subcycling::AddedInertia`]).

use pliant_core::boundary::BoundaryConditions;

use crate::model::adaptive_model::AdaptiveModel;
use crate::step::subcycling::{Allowance, Rates};

impl AdaptiveModel {
    /// Nodes of all constraints on a free level that the budget has chosen; 0 for other bodies, whose steps do not depend on it.
    pub(crate) fn touched_node_count(&self, boundary: &BoundaryConditions) -> usize {
        if self.added_inertia.is_none() {
            return 0;
        }
        let embedding = self.touchable_rows();
        let rows = boundary.displacements().iter();
        rows.map(|c| embedding.row(c.vertex as usize).0.len()).sum()
    }

    /// Limits the rates to what `evaluations` a second allow. The elements that need more get inertia instead.
    pub(super) fn limit_rates(
        &mut self,
        rates: &mut Rates,
        boundary: &BoundaryConditions,
        evaluations: f64,
    ) {
        let touched_nodes = self.touched_node_count(boundary);
        let Some(mut added) = self.added_inertia.take() else {
            return;
        };
        let allowance = Allowance {
            evaluations,
            touched_nodes,
            touched_rate: rates.touched_rate(&self.moving_level().mesh.tets),
        };
        let positions = &self.dynamics.positions;
        let is_changed = added.limit(&self.steps, positions, &mut rates.element_rates, allowance);
        rates.lower_to(added.max_rate());
        self.added_inertia = Some(added);
        if is_changed {
            self.change_inertia();
        }
    }

    /// Sets the masses to those with the added inertia. The velocities at the time of the positions stay, and the change of the kinetic energy counts as dissipated.
    fn change_inertia(&mut self) {
        self.refresh();
        self.dynamics.evaluate_stiff();
        let before = self.kinetic_energy_mid_step();
        self.dynamics
            .add_half_kick(self.last_step, &self.gravity, 1.0);
        self.apply_added_inertia();
        self.dynamics
            .add_half_kick(self.last_step, &self.gravity, -1.0);
        self.dissipated += before - self.kinetic_energy_mid_step();
    }

    /// Takes all added inertia back from a body that moves.
    pub(crate) fn remove_added_inertia(&mut self) {
        if self.has_added_inertia()
            && let Some(added) = &mut self.added_inertia
        {
            added.clear();
            self.change_inertia();
        }
    }

    /// Sets the masses of the nodes to those with the added inertia.
    pub(crate) fn apply_added_inertia(&mut self) {
        if let Some(added) = &self.added_inertia {
            let tets = &self.asset.levels[self.level].mesh.tets;
            let dynamics = &mut self.dynamics;
            added.write_masses(tets, &mut dynamics.masses);
            for (n, mass) in dynamics.masses.iter().enumerate() {
                dynamics.inverse_masses[n] = 1.0 / mass;
                dynamics.weights[n] = added.true_masses()[n] / mass;
            }
        }
    }

    /// Takes all added inertia back from a body that is reset.
    pub(crate) fn clear_added_inertia(&mut self) {
        if let Some(added) = &mut self.added_inertia {
            added.clear();
            self.apply_added_inertia();
        }
    }

    /// Whether elements have inertia instead of steps.
    pub(crate) fn has_added_inertia(&self) -> bool {
        let added = self.added_inertia.as_ref();
        added.is_some_and(|added| added.count() > 0)
    }
}
