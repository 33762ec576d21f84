//! The rigid motion of a body: saved, restored, or stopped.

use pliant_core::math::Vec3;

use crate::cut::{Momentum, total_momentum};
use crate::force::rigid_motion::RigidMotion;
use crate::step::multirate::cut_dynamics::CutDynamics;

impl CutDynamics {
    /// Momentum and centre of mass of a free body; `None` for a supported body, whose supports take up any change.
    pub(crate) fn motion(&self) -> Option<(Momentum, Vec3)> {
        let active = self.operators.active();
        (!self.is_supported).then(|| {
            let momentum = total_momentum(&self.masses, active, &self.positions, &self.velocities);
            (momentum, self.center(momentum.mass))
        })
    }

    fn center(&self, mass: f64) -> Vec3 {
        let active = self.operators.active().iter().map(|&n| n as usize);
        active
            .map(|n| self.positions[n] * self.masses[n])
            .sum::<Vec3>()
            / mass
    }

    /// Restores momentum and centre of mass that [`CutDynamics::motion`] returned, by a rigid motion of a free body.
    pub(crate) fn restore_motion(&mut self, motion: Option<(Momentum, Vec3)>) {
        let Some((momentum, center)) = motion.filter(|m| m.1.iter().all(|c| c.is_finite())) else {
            return;
        };
        let off = center - self.center(momentum.mass);
        let active = self.operators.active();
        for &n in active {
            self.positions[n as usize] += off;
        }
        let now = total_momentum(&self.masses, active, &self.positions, &self.velocities);
        let points = active
            .iter()
            .map(|&n| (self.positions[n as usize], self.masses[n as usize]));
        let (linear, angular) = (momentum.linear - now.linear, momentum.angular - now.angular);
        let rigid = RigidMotion::with_momentum(points, &linear, &angular);
        for &n in active {
            let n = n as usize;
            let change = rigid.at(&self.positions[n]);
            for velocities in [
                &mut self.velocities,
                &mut self.half_step_velocities,
                &mut self.mean_velocities,
            ] {
                velocities[n] += change;
            }
        }
        self.update_ghosts();
        self.forces_are_current = false;
    }

    /// Stops all nodes.
    pub(crate) fn stop(&mut self) {
        for velocities in self.all_velocities() {
            velocities.fill(Vec3::zeros());
        }
        self.forces_are_current = false;
    }

    /// Velocities of the nodes: now, half a step before, and means over the last step.
    pub(crate) fn all_velocities(&mut self) -> [&mut Vec<Vec3>; 3] {
        [
            &mut self.velocities,
            &mut self.half_step_velocities,
            &mut self.mean_velocities,
        ]
    }
}
