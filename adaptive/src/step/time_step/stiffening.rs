//! How an element's highest frequency grows with its deformation.

use pliant_core::elasticity::stress::{NeoHookeanConstants, cofactor};
use pliant_core::material::LameParameters;
use pliant_core::math::Mat3;

use crate::force::NEAR_INVERTED;
use crate::force::recovery::recovery_growth;
use crate::params::ElementModel;

/// Largest stiffening that is followed; a body beyond it is about to be reported as diverged.
pub(crate) const MOST_STIFFENING: f64 = 100.0;

/// Volume ratio, over that from which on an element recovers, at which steps are ready for it: it may get there within a frame.
const RECOVERY_AHEAD: f64 = 1.5;

/// How an element's highest frequency grows with its deformation.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Stiffening {
    Green { lame: LameParameters, recover: bool },
    NeoHookean(NeoHookeanConstants),
    Linear,
}

impl Stiffening {
    /// Of an element model.
    pub(crate) fn new(model: ElementModel, lame: LameParameters, recover: bool) -> Self {
        match model {
            ElementModel::Green => Self::Green { lame, recover },
            ElementModel::StableNeoHookean => Self::NeoHookean(lame.into()),
            _ => Self::Linear,
        }
    }

    /// Bounds of `λ_max(K(F)) / λ_max(K(I))` for the elastic and the viscous stiffness, at least 1.
    pub(crate) fn growth(&self, f: &Mat3, determinant: f64) -> (f64, f64) {
        let c = f.transpose() * f;
        let stretch_squared = largest_eigenvalue_bound(&c);
        let elastic = match self {
            Self::Green { lame, recover } => {
                // material part ≤ s² K(I), geometric part ≤ σ_max(S)/(λ + 2μ) K(I)
                let strain = 0.5 * (stretch_squared - 1.0);
                let tension = lame.lambda * 0.5 * (c.trace() - 3.0) + 2.0 * lame.mu * strain;
                let growth = stretch_squared + tension.max(0.0) / (lame.lambda + 2.0 * lame.mu);
                if *recover && determinant < RECOVERY_AHEAD * NEAR_INVERTED {
                    let areas = largest_eigenvalue_bound(&cofactor(&c));
                    growth + recovery_growth(determinant, areas, stretch_squared.sqrt())
                } else {
                    growth
                }
            }
            Self::NeoHookean(n) => {
                let bound = |ic: f64, stretch: f64, area_squared: f64, j: f64| {
                    n.mu * (1.0 - 1.0 / (ic + 1.0))
                        + 2.0 * n.mu * ic / (ic + 1.0).powi(2)
                        + n.lambda * area_squared
                        + n.lambda * (j - n.alpha).abs() * stretch
                };
                let areas = largest_eigenvalue_bound(&cofactor(&c));
                bound(c.trace(), stretch_squared.sqrt(), areas, determinant)
                    / bound(3.0, 1.0, 1.0, 1.0)
            }
            Self::Linear => 1.0,
        };
        (elastic.max(1.0), stretch_squared.max(1.0))
    }
}

/// Upper bound of the largest eigenvalue of a symmetric matrix from its trace and the norm of its deviator; exact for multiples of
/// the identity and for a double smaller eigenvalue.
fn largest_eigenvalue_bound(c: &Mat3) -> f64 {
    let mean = c.trace() / 3.0;
    let deviator = c - Mat3::identity() * mean;
    mean + (2.0 / 3.0_f64).sqrt() * deviator.norm()
}
