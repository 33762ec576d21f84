//! Kinetic, elastic and potential energy of a body.
//!
//! The work of elastic and gravitational forces in [`crate::model::energy_account`] agrees with the change of their potentials up to `½ h F · v` at
//! both ends (summation by parts of symplectic Euler). This term is added to the kinetic energy: it moves the velocity by half a step, to the time of the
//! positions.

use pliant_core::math::Vec3;
use pliant_core::model::EnergyAccount;

use crate::model::lattice_model::LatticeModel;
use crate::step::goal::goal;

impl LatticeModel {
    /// Whether goals derive from an energy, unlike those of whole-body maps, and energies are accounted for.
    pub(crate) fn has_energy(&self) -> bool {
        self.global.is_none() && self.energy_accounting
    }

    /// Energies at the present positions, whose shapes are matched.
    pub(crate) fn energy(&self, gravity: &Vec3) -> EnergyAccount {
        let (mut kinetic, mut potential) = (0.0, 0.0);
        // α/h² = 2 stiffness
        let half = 0.5 * self.step_length;
        for (p, m) in self.asset.mass.iter().enumerate() {
            let offset = goal(&self.asset, &self.matching.transform_sums, p)
                - (self.x[p] - self.center) * self.asset.pull_of(p);
            let acceleration = offset * (2.0 * self.stiffness) + gravity;
            kinetic += m * self.v[p].dot(&(self.v[p] * 0.5 + acceleration * half));
            potential -= m * gravity.dot(&(self.x[p] - self.asset.rest_position(p)));
        }
        for (p, acceleration) in &self.loaded {
            kinetic += half * self.asset.mass[*p as usize] * acceleration.dot(&self.v[*p as usize]);
        }
        let misfit = self.matching.misfit(&self.asset, &self.x, &self.center);
        EnergyAccount {
            kinetic: kinetic.max(0.0),
            // in fast vibration the correction can exceed the kinetic energy; the sum is what is conserved
            elastic: self.stiffness * misfit + kinetic.min(0.0),
            potential,
            dissipated: self.account.dissipated,
            work: self.account.work,
        }
    }

    /// Sets the gravity (m/s²) of a frame, whose step is known. By what a change of gravity changes the energy at the present state, it counts as work.
    pub(crate) fn set_gravity(&mut self, gravity: &Vec3) {
        let change = gravity - std::mem::replace(&mut self.account.gravity, *gravity);
        if self.time == 0.0 || change == Vec3::zeros() {
            return;
        }
        let half = 0.5 * self.step_length;
        for (p, m) in self.asset.mass.iter().enumerate() {
            let displacement = self.x[p] - self.asset.rest_position(p);
            self.account.work += m * change.dot(&(self.v[p] * half - displacement));
        }
    }

    /// `Σ f · x` over the loaded particles, J.
    pub(crate) fn loads_dot_positions(&self) -> f64 {
        let terms = self.loaded.iter();
        terms
            .map(|(p, a)| self.asset.mass[*p as usize] * a.dot(&self.x[*p as usize]))
            .sum()
    }
}
