//! Moving a body towards its rest shape.

use pliant_core::math::polar::nearest_rotation;
use pliant_core::math::{Mat3, Vec3};

use crate::step::multirate::cut_dynamics::CutDynamics;
use crate::step::multirate::rates::step_level::UNSET;

impl CutDynamics {
    /// Moves all nodes but those `held` (ascending) and supported towards their rest positions, so that they keep the share `kept` of their
    /// displacement. The rest shape of a free body is moved and turned to fit best.
    pub(crate) fn relax(&mut self, kept: f64, held: &[u32]) {
        let forest = self.forest.clone();
        let pose = match self.is_supported {
            true => None,
            false => Some(self.rest_pose()),
        };
        for &node in self.operators.active() {
            let n = node as usize;
            if self.inverse_masses[n] > 0.0 && held.binary_search(&node).is_err() {
                let rest = match &pose {
                    None => forest.rest()[n],
                    Some((rotation, centre, rest_centre)) => {
                        centre + rotation * (forest.rest()[n] - rest_centre)
                    }
                };
                self.positions[n] = rest + (self.positions[n] - rest) * kept;
            }
        }
        self.update_ghosts();
        self.steps.own_levels.fill(UNSET);
        self.steps.selective_scaling.corners.fill(0.0);
        self.steps.selective_scaling.has_changed = true;
        self.forces_are_current = false;
        self.needs_coupling = true;
    }

    /// The rotation of the rest shape that fits best, the present centre, and the centre at rest.
    fn rest_pose(&self) -> (Mat3, Vec3, Vec3) {
        let rest = self.forest.rest();
        let active = || self.operators.active().iter().map(|&n| n as usize);
        let mass: f64 = active().map(|n| self.masses[n]).sum();
        let mean =
            |x: &[Vec3]| -> Vec3 { active().map(|n| x[n] * self.masses[n]).sum::<Vec3>() / mass };
        let (centre, rest_centre) = (mean(&self.positions), mean(rest));
        let mut covariance = Mat3::zeros();
        for n in active() {
            covariance +=
                (self.positions[n] - centre) * (rest[n] - rest_centre).transpose() * self.masses[n];
        }
        (nearest_rotation(&covariance), centre, rest_centre)
    }
}
