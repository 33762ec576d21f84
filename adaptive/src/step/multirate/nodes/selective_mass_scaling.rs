//! The inertia of selective mass scaling at the nodes.

use crate::step::multirate::cut_dynamics::CutDynamics;

impl CutDynamics {
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
    pub fn selective_scaling(&self) -> (f64, u32) {
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
