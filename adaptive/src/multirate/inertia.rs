//! What the nodes of a cut weigh, and what they resist.

use crate::multirate::dynamics::CutDynamics;

impl CutDynamics {
    /// Masses of the active nodes. The true ones are together those of the body ([`crate::cut::Cut::fill_up`]). Slivers add inertia to their corners, as for a single level
    /// ([`crate::mass_scaling`]), by the share with which their energy counts: that keeps the bound of the element. So do elements that yield.
    pub(crate) fn weigh(&mut self) {
        let levels = self.cut.evaluated_counts().iter();
        let evaluated = self.operators.evaluated();
        if levels.filter(|count| **count > 0).count() > 1 {
            let corners = &self.steps.corner_mass;
            self.cut.fill_up(evaluated, corners, &mut self.masses);
        } else {
            // a whole level, to the bit
            self.masses.copy_from_slice(self.forest.masses());
        }
        self.weights.fill(1.0);
        self.inverse_masses.fill(0.0);
        for &n in self.operators.active() {
            self.weights[n as usize] = self.masses[n as usize];
        }
        for &t in evaluated {
            let yielded = self.steps.yielding.corners.get(t as usize);
            let heavier = self.steps.heavier[t as usize] + yielded.copied().unwrap_or(0.0);
            if heavier > 0.0 {
                let share = self.cut.share(t);
                for n in self.forest.tets()[t as usize] {
                    if self.cut.is_active(n) {
                        self.masses[n as usize] += heavier * share;
                    }
                }
            }
        }
        for &n in self.operators.active() {
            let k = n as usize;
            self.weights[k] /= self.masses[k];
            if self.forest.support(n).is_none() {
                self.inverse_masses[k] = 1.0 / self.masses[k];
            }
        }
    }
}
