//! What every element force depends on, and what its evaluation finds.

use pliant_core::material::{DampingParameters, LameParameters, MaterialLaw};

/// Below this volume ratio a Green tetrahedron counts as nearly inverted and recovers (`recovery.rs`).
pub const NEAR_INVERTED: f64 = 0.2;

/// Constants of the force on every tetrahedron of a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ElementConstants {
    /// Elastic constants, Pa.
    pub lame: LameParameters,
    /// Viscous constants, Pa·s.
    pub damping: DampingParameters,
    /// Stress law.
    pub law: MaterialLaw,
    /// Whether nearly inverted Green tetrahedra recover: an additional energy of their volume increases it again.
    pub recover: bool,
}

impl ElementConstants {
    /// Whether strain rates cause forces.
    pub fn is_damped(&self) -> bool {
        self.damping.phi != 0.0 || self.damping.psi != 0.0
    }
}

/// What one evaluation found besides the forces.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Evaluation {
    /// Power taken by damping, W.
    pub viscous_power: f64,
    /// Number of nearly inverted tetrahedra with recovery forces.
    pub blended: u32,
}

/// Steps between two checks whether forces are finite: the power of damping is not where they are not.
pub(crate) const FINITE_CHECK_INTERVAL: u32 = 16;

impl Evaluation {
    /// The sum of the `parts` of an evaluation, in their order.
    pub(super) fn total(parts: &[Self]) -> Self {
        let mut total = Self::default();
        for part in parts {
            total.viscous_power += part.viscous_power;
            total.blended += part.blended;
        }
        total
    }
}
