//! From the damping of a material to that of a level: viscous constants and drag.

use pliant_core::material::{Damping, DampingParameters, LameParameters};

use crate::hierarchy::Level;
use crate::params::DampingRule;

/// Critical fraction that [`DampingRule::Rayleigh`] lets strain damping reach at the highest frequency: it costs a quarter of the step.
const STRAIN_SHARE: f64 = 0.3;

/// Damping of one level.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LevelDamping {
    /// φ and ψ, Pa·s.
    pub viscous: DampingParameters,
    /// β (s): `β(λ, μ)` bounds the viscous constants; springs have dashpots of β times their stiffness.
    pub time: f64,
    /// α (1/s): force `−α m (v − v_rigid)` on every node.
    pub drag: f64,
}

impl LevelDamping {
    /// Damping of `level` for a body whose lowest frequency is `lowest` (rad/s).
    ///
    /// A ratio ζ under [`DampingRule::Strain`]: `β = 2ζ/ω₁`, `φ = βλ`, `ψ = βμ`. Under [`DampingRule::Rayleigh`] β is at most what the step allows,
    /// and a drag `α = 2ω₁ (ζ − βω₁/2)` makes up the ratio of the lowest mode. Given φ and ψ are taken as they are, with the smallest β that
    /// bounds them: the larger of `ψ/μ` and `(φ + 2ψ/3)/(λ + 2μ/3)`.
    pub fn new(
        damping: Damping,
        rule: DampingRule,
        lame: &LameParameters,
        lowest: f64,
        level: &Level,
    ) -> Self {
        match damping {
            Damping::Ratio(zeta) => {
                let requested = 2.0 * zeta / lowest;
                let time = match rule {
                    DampingRule::Strain => requested,
                    DampingRule::Rayleigh => {
                        let highest = level.frequencies.iter().copied().fold(0.0, f64::max);
                        requested.min(2.0 * STRAIN_SHARE / highest)
                    }
                };
                let drag = 2.0 * lowest * zeta - time * lowest * lowest;
                Self {
                    viscous: DampingParameters {
                        phi: time * lame.lambda,
                        psi: time * lame.mu,
                    },
                    time,
                    // less is only round-off of the difference
                    drag: if drag < 1e-9 * time { 0.0 } else { drag },
                }
            }
            Damping::Parameters(viscous) => {
                let shear = viscous.psi / lame.mu;
                let bulk =
                    (viscous.phi + viscous.psi * 2.0 / 3.0) / (lame.lambda + lame.mu * 2.0 / 3.0);
                Self {
                    viscous,
                    time: shear.max(bulk).max(0.0),
                    drag: 0.0,
                }
            }
        }
    }
}
