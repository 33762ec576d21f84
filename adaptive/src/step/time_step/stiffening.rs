//! How an element's highest frequency grows with its deformation.

use pliant_core::elasticity::law::{StiffnessGrowth, largest_eigenvalue_bound};
use pliant_core::elasticity::stress::cofactor;
use pliant_core::material::{LameParameters, MaterialLaw};
use pliant_core::math::Mat3;

use crate::force::NEAR_INVERTED;
use crate::force::recovery::recovery_growth;
use crate::params::ElementModel;

/// Largest stiffening that steps allow for; a body beyond it is about to be reported as diverged.
pub(crate) const MAX_STIFFENING: f64 = 100.0;

/// Volume ratio below which steps allow for recovery forces, over the ratio where recovery starts: an element may get there within a frame.
const RECOVERY_AHEAD: f64 = 1.5;

/// How an element's highest frequency grows with its deformation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stiffening {
    law: StiffnessGrowth,
    /// whether nearly inverted elements recover
    recovers: bool,
}

impl Stiffening {
    /// Of an element model.
    pub(crate) fn new(model: ElementModel, lame: LameParameters, recover: bool) -> Self {
        let law = model.law();
        Self {
            law: law.map_or(StiffnessGrowth::Constant, |l| StiffnessGrowth::new(l, lame)),
            recovers: recover && law.is_some_and(MaterialLaw::softens_under_compression),
        }
    }

    /// Bounds of `λ_max(K(F)) / λ_max(K(I))` for the elastic and the viscous stiffness, at least 1.
    pub(crate) fn growth(&self, f: &Mat3, determinant: f64) -> (f64, f64) {
        let c = f.transpose() * f;
        let stretch_squared = largest_eigenvalue_bound(&c);
        let mut elastic = self.law.bound(&c, stretch_squared, determinant);
        if self.recovers && determinant < RECOVERY_AHEAD * NEAR_INVERTED {
            let areas = largest_eigenvalue_bound(&cofactor(&c));
            elastic += recovery_growth(determinant, areas, stretch_squared.sqrt());
        }
        (elastic.max(1.0), stretch_squared.max(1.0))
    }
}
