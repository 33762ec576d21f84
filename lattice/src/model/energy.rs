//! Where the energy of a body is.
//!
//! The elastic and gravitational part of what [`crate::model::energy_account`] counts agrees with the change of their potentials up to `½ h F · v` at
//! both ends (summation by parts of symplectic Euler). This is added to the kinetic energy: it is the step's velocity brought to the time of the
//! positions.

use pliant_core::math::Vec3;
use pliant_core::model::EnergyAccount;

use crate::model::lattice_model::LatticeModel;
use crate::step::goal::goal;

impl LatticeModel {
    /// Whether goals follow from an energy, not like those of whole-body maps, and energies are kept.
    pub(crate) fn has_energy(&self) -> bool {
        self.global.is_none() && self.energy_accounting
    }

    /// Energies at the present positions, which are matched.
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

    /// `Σ f · x` over the loaded particles, J.
    pub(crate) fn load_moment(&self) -> f64 {
        let terms = self.loaded.iter();
        terms
            .map(|(p, a)| self.asset.mass[*p as usize] * a.dot(&self.x[*p as usize]))
            .sum()
    }
}
