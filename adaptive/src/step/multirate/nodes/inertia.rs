//! Masses of the nodes of a cut: true mass, added inertia, and the inertia of selective mass scaling.

use crate::step::multirate::cut_dynamics::CutDynamics;

impl CutDynamics {
    /// Computes masses of the active nodes from the shares of the tetrahedra ([`crate::cut::Cut::compute_shares`]); their sum is the mass of the body. Slivers add inertia to
    /// their corners, as for a single level ([`crate::step::mass_scaling`]), times their share, so that the bound of the element holds. Selective mass scaling adds inertia in the
    /// same way.
    pub(crate) fn update_masses(&mut self) {
        self.revision += 1;
        let levels = self.cut.evaluated_counts().iter();
        if levels.filter(|count| **count > 0).count() > 1 {
            self.masses.fill(0.0);
            let corners = &self.steps.inertia.corner;
            let corner_mass = |t: u32| corners[t as usize];
            self.cut
                .distribute_masses(&self.operators, corner_mass, &mut self.masses);
            // the factor on the shares is bounded: this corrects the rest
            let active = self.operators.active().iter().map(|&n| n as usize);
            let sum: f64 = active.clone().map(|n| self.masses[n]).sum();
            let correction = self.forest.mass() / sum;
            active.for_each(|n| self.masses[n] *= correction);
        } else {
            // a whole level has exactly the masses of that level
            self.masses.copy_from_slice(&self.steps.inertia.node);
        }
        self.weights.fill(1.0);
        self.inverse_masses.fill(0.0);
        for &n in self.operators.active() {
            self.weights[n as usize] = self.masses[n as usize];
        }
        let heavier = |t: u32| {
            let added = self.steps.selective_scaling.corners.get(t as usize);
            self.steps.inertia.heavier[t as usize] + added.copied().unwrap_or(0.0)
        };
        self.cut
            .distribute_masses(&self.operators, heavier, &mut self.masses);
        for &n in self.operators.active() {
            let k = n as usize;
            self.weights[k] /= self.masses[k];
            if self.forest.support(n).is_none() {
                self.inverse_masses[k] = 1.0 / self.masses[k];
            }
        }
    }

    /// Applies the inertia that the last scan found: every node keeps its kinetic energy.
    pub(crate) fn take_selective_scaling(&mut self) {
        if !std::mem::take(&mut self.steps.selective_scaling.has_changed) {
            return;
        }
        let before = self.masses.clone();
        self.update_masses();
        for &n in self.operators.active() {
            let n = n as usize;
            if before[n] != self.masses[n] {
                let factor = (before[n] / self.masses[n]).sqrt();
                for velocities in [
                    &mut self.velocities,
                    &mut self.half_step_velocities,
                    &mut self.mean_velocities,
                ] {
                    velocities[n] *= factor;
                }
            }
        }
        self.operators.forward(&mut self.velocities);
        self.forces_are_current = false;
    }

    /// Inertia that selective mass scaling adds, over the mass of the body, and the number of its elements.
    pub(crate) fn selective_scaling(&self) -> (f64, u32) {
        let (mut added, mut whole) = (0.0, 0.0);
        for &n in self.operators.active() {
            whole += self.true_mass(n);
        }
        let corners = &self.steps.selective_scaling.corners;
        if !corners.is_empty() {
            for &t in self.operators.evaluated() {
                added += 4.0 * corners[t as usize] * self.cut.share(t);
            }
        }
        (added / whole, self.steps.selective_scaling.count)
    }
}
