//! Rows of the points inside: their response to every force on the boundary, to gravity and to loads on points.

use pliant_core::math::{Mat3, Vec3};
use pliant_core::scene::NamedPoint;

/// The stress of a point for a force: component `k` in Voigt's order (xx, yy, zz, yz, xz, xy) is the product of entry `k` with the force.
pub type StressRow = [Vec3; 6];

/// No stress.
pub const NO_STRESS: StressRow = [Vec3::new(0.0, 0.0, 0.0); 6];

/// Adds `weight` times a row to a sum.
pub(crate) fn add_stress(sum: &mut StressRow, row: &StressRow, weight: f64) {
    for (sum, row) in sum.iter_mut().zip(row) {
        *sum += row * weight;
    }
}

/// A point inside a body, with its rows.
#[derive(Debug, Clone, PartialEq)]
pub struct InsidePoint {
    /// Its name, its position at rest, and its initial load.
    pub named: NamedPoint,
    /// For each free boundary node `j` the matrix `U_j`, m/N: a force `f` on the node moves the point by `U_j f`, and a load `q` on the point moves the
    /// node by `U_jᵀ q`.
    pub displacement: Vec<Mat3>,
    /// Stress for a force on each free boundary node, Pa/N.
    pub stress: Vec<StressRow>,
    /// Displacement for gravity of 1 m/s² along x, y and z (the columns), s².
    pub gravity: Mat3,
    /// Stress for gravity, Pa/(m/s²).
    pub gravity_stress: StressRow,
    /// Response of this point to unit loads on all points of the body, in their order.
    pub of_points: Vec<PointResponse>,
    /// For each support the force on the body for a unit load on the point along each axis (the columns).
    pub support_reactions: Vec<Mat3>,
}

/// Response of a point to a unit load on a point (m/N and Pa/N), or to a unit displacement of a held node (1 and Pa/m).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PointResponse {
    /// Displacement.
    pub displacement: Mat3,
    /// Stress.
    pub stress: StressRow,
}

impl InsidePoint {
    /// Bytes that the rows take.
    pub(crate) fn bytes(&self) -> usize {
        72 * (self.displacement.len() + self.support_reactions.len())
            + 144 * self.stress.len()
            + 216 * self.of_points.len()
    }
}
