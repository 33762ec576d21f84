//! Drag: the part of damping that acts on nodes.

use crate::cut::total_momentum;
use crate::force::rigid_motion::RigidMotion;
use crate::step::multirate::cut_dynamics::CutDynamics;

impl CutDynamics {
    /// Applies drag for `duration` seconds: subtracts a share of the mean velocities relative to their rigid motion. Returns the energy taken, J.
    pub(crate) fn apply_drag(&mut self, duration: f64) -> f64 {
        if self.drag <= 0.0 {
            return 0.0;
        }
        let share = 1.0 - (-self.drag * duration).exp();
        let mut taken = 0.0;
        let active = self.operators.active();
        let rigid = if self.is_supported {
            RigidMotion::none()
        } else {
            let m = total_momentum(&self.masses, active, &self.positions, &self.mean_velocities);
            let points = active.iter().map(|&n| {
                let n = n as usize;
                (self.positions[n], self.masses[n])
            });
            RigidMotion::with_momentum(points, &m.linear, &m.angular)
        };
        for n in active.iter().map(|&n| n as usize) {
            if self.inverse_masses[n] > 0.0 {
                let slip = self.mean_velocities[n] - rigid.at(&self.positions[n]);
                self.velocities[n] -= slip * share;
                taken += self.masses[n] * slip.norm_squared();
            }
        }
        taken * share
    }
}
