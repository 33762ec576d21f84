//! Green's functions of one body with its supports, and its skin.

use std::sync::Arc;

use pliant_core::material::Material;
use pliant_core::math::Mat3;
use pliant_core::mesh::SurfaceMesh;

use crate::asset::inside::InsidePoint;
use crate::asset::{FinishedColumns, PointRows, ReleasableSupport};
use crate::greens::{GreensMatrix, SkinRows, SupportRows};

/// The baked body: constant, shared by every model that uses it.
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
    /// Reaction rows of the supports, in the order of the description.
    pub supports: Vec<SupportRows>,
    /// Points inside with their rows, in the order of the description.
    pub inside: Vec<InsidePoint>,
    /// Supports that [`GreensAsset::without_support`] can release.
    pub releasable: Vec<ReleasableSupport>,
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

    /// Whether all nodes that skin vertex `vertex` depends on have columns.
    pub fn has_columns(&self, vertex: usize) -> bool {
        let has_column = |node: &u32| self.matrix.has_column(*node);
        self.matrix.missing().is_empty() || self.rows.row(vertex).0.iter().all(has_column)
    }

    /// Stores columns of the same bake. Returns `false` without any change where they do not fit.
    pub fn insert(&mut self, columns: &FinishedColumns) -> bool {
        let first = columns.first_node as usize;
        let fits = |(support, reactions): (&SupportRows, &Vec<Mat3>)| {
            first + reactions.len() <= support.reactions.len()
        };
        let given = self.supports.iter().zip(&columns.reactions);
        let nodes = self.nodes();
        let has_room = |rows: &PointRows| {
            rows.displacement.len() == rows.stress.len() && first + rows.stress.len() <= nodes
        };
        let count_fits = columns.inside.is_empty() || columns.inside.len() == self.inside.len();
        let points_fit = count_fits && columns.inside.iter().all(has_room);
        if !points_fit
            || !given.clone().all(fits)
            || !self.matrix.insert(columns.first_node, &columns.values)
        {
            return false;
        }
        for (support, reactions) in self.supports.iter_mut().zip(&columns.reactions) {
            support.reactions[first..first + reactions.len()].copy_from_slice(reactions);
        }
        for (point, rows) in self.inside.iter_mut().zip(&columns.inside) {
            let range = first..first + rows.stress.len();
            point.displacement[range.clone()].copy_from_slice(&rows.displacement);
            point.stress[range].copy_from_slice(&rows.stress);
        }
        true
    }

    /// Bytes that the asset holds in memory.
    pub fn bytes(&self) -> usize {
        let reactions: usize = self.supports.iter().map(|s| 72 * s.reactions.len()).sum();
        self.matrix.bytes()
            + 72 * self.gravity.len()
            + reactions
            + self
                .releasable
                .iter()
                .map(ReleasableSupport::bytes)
                .sum::<usize>()
            + self.inside.iter().map(InsidePoint::bytes).sum::<usize>()
            + 12 * self.rows.nodes.len()
            + 4 * self.rows.offsets.len()
            + 24 * self.skin.positions.len()
            + 12 * self.skin.triangles.len()
    }
}
