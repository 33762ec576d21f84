//! A body that is drawn to its rest shape.

use pliant_core::math::polar::nearest_rotation;
use pliant_core::math::{Mat3, Vec3};

use crate::step::multirate::cut_dynamics::CutDynamics;
use crate::step::multirate::rates::step_level::UNSET;

impl CutDynamics {
    /// Draws all nodes that move but those `held` (ascending) towards their places at rest, so that they keep a share of `kept` of their
    /// displacement. A free body is at rest where it is, turned as it is.
    pub(crate) fn relax(&mut self, kept: f64, held: &[u32]) {
        let forest = self.forest.clone();
        let place = match self.is_supported {
            true => None,
            false => Some(self.rest_pose()),
        };
        for &node in self.operators.active() {
            let n = node as usize;
            if self.inverse_masses[n] > 0.0 && held.binary_search(&node).is_err() {
                let rest = match &place {
                    None => forest.rest()[n],
                    Some((turned, here, there)) => here + turned * (forest.rest()[n] - there),
                };
                self.positions[n] = rest + (self.positions[n] - rest) * kept;
            }
        }
        self.follow();
        self.steps.own.fill(UNSET);
        self.steps.selective_scaling.corners.fill(0.0);
        self.steps.selective_scaling.has_changed = true;
        self.is_fresh = false;
        self.needs_settling = true;
    }

    /// Rotation of the rest shape, its centre now, and at rest, that fit best.
    fn rest_pose(&self) -> (Mat3, Vec3, Vec3) {
        let rest = self.forest.rest();
        let active = || self.operators.active().iter().map(|&n| n as usize);
        let mass: f64 = active().map(|n| self.masses[n]).sum();
        let mean =
            |x: &[Vec3]| -> Vec3 { active().map(|n| x[n] * self.masses[n]).sum::<Vec3>() / mass };
        let (here, there) = (mean(&self.positions), mean(rest));
        let mut both = Mat3::zeros();
        for n in active() {
            both += (self.positions[n] - here) * (rest[n] - there).transpose() * self.masses[n];
        }
        (nearest_rotation(&both), here, there)
    }
}
