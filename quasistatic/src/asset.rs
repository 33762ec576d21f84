//! The baked body: constant, shared by every model that uses it.

use std::sync::Arc;

use pliant_core::material::Material;
use pliant_core::math::Mat3;
use pliant_core::mesh::SurfaceMesh;

use crate::greens::{GreensMatrix, SkinRows, SupportRows};

/// Green's functions of one body with its supports, and the skin on top of them.
#[derive(Debug, Clone, PartialEq)]
pub struct GreensAsset {
    /// The skin at rest.
    pub skin: Arc<SurfaceMesh>,
    /// Material that was baked; modulus and density can be scaled afterwards, Poisson's ratio cannot.
    pub material: Material,
    /// Compliances between the free boundary nodes, m/N.
    pub matrix: GreensMatrix,
    /// Displacement of each free boundary node for gravity of 1 m/s² along x, y and z (the columns), s².
    pub gravity: Vec<Mat3>,
    /// What each support carries, in the order of the description.
    pub supports: Vec<SupportRows>,
    /// The skin on the free boundary nodes.
    pub rows: SkinRows,
    /// Scalar unknowns of the finite element system behind the columns.
    pub unknowns: usize,
    /// Sentences that a user should read.
    pub notes: Vec<String>,
}

impl GreensAsset {
    /// Free boundary nodes `n`; there are `3n` columns.
    pub fn nodes(&self) -> usize {
        self.matrix.nodes()
    }

    /// Bytes that the asset holds in memory.
    pub fn bytes(&self) -> usize {
        let shares: usize = self.supports.iter().map(|s| 72 * s.shares.len()).sum();
        self.matrix.bytes()
            + 72 * self.gravity.len()
            + shares
            + 12 * self.rows.nodes.len()
            + 4 * self.rows.offsets.len()
            + 24 * self.skin.positions.len()
            + 12 * self.skin.triangles.len()
    }
}
