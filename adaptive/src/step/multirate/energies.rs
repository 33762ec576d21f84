//! Energies of a body on a cut.

use pliant_core::math::Vec3;

use crate::step::multirate::cut_dynamics::CutDynamics;

impl CutDynamics {
    /// Strain energy, J. Ghosts have to be up to date.
    pub fn elastic_energy(&self) -> f64 {
        self.reference_forces().energy(&self.positions)
    }

    /// Kinetic energy of the present velocities, J.
    pub fn kinetic_energy(&self) -> f64 {
        let of =
            |&n: &u32| 0.5 * self.masses[n as usize] * self.velocities[n as usize].norm_squared();
        self.operators.active().iter().map(of).sum()
    }

    /// Energy of gravity (m/s²) relative to rest, J.
    pub fn potential_energy(&self, gravity: &Vec3) -> f64 {
        let mut moment = Vec3::zeros();
        for &n in self.operators.active() {
            let mass = self.true_mass(n);
            let n = n as usize;
            moment += (self.positions[n] - self.forest.rest()[n]) * mass;
        }
        -gravity.dot(&moment)
    }

    /// Kinetic energy at the end of the last frame, J. `extra` is the change of velocity of a node by the last impulse of constraints, half of which
    /// belongs to the next frame.
    pub(crate) fn kinetic_energy_between(&self, extra: impl Fn(usize) -> Vec3) -> f64 {
        let mut sum = 0.0;
        for &n in self.operators.active() {
            let n = n as usize;
            if self.inverse_masses[n] > 0.0 {
                let v = self.velocities[n] + extra(n) * 0.5;
                sum += 0.5 * self.masses[n] * v.norm_squared();
            }
        }
        sum
    }
}
