//! Builds a cut surface: its vertices, and what they are attached to.

use pliant_core::math::Vec3;
use pliant_core::mesh::SkinEmbedding;
use pliant_core::mesh::embedding::{AttachedPlace, embedding_row};

use crate::model::cutting::copies::Copies;

/// Where a point is attached: a copy of a tetrahedron, and a position in it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Attachment {
    pub copy: u32,
    /// in the tetrahedron of the copy
    pub place: AttachedPlace,
}

impl Attachment {
    /// Nodes and weights.
    pub fn row(&self, copies: &Copies) -> impl Iterator<Item = (u32, f64)> + use<> {
        embedding_row(copies.all[self.copy as usize].nodes, self.place.weights)
    }
}

/// Builds a surface.
#[derive(Debug, Default)]
pub(super) struct SurfaceBuilder {
    pub positions: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
    /// of nodes and weights
    pub rows: SkinEmbedding,
    pub copied: Vec<u32>,
    /// for each vertex the number of copies of tetrahedra at it, and the sum of unit vectors to their sides
    pub inward: Vec<(u32, Vec3)>,
}

impl SurfaceBuilder {
    /// Adds a vertex that copies a vertex of the skin, or one of a cap.
    pub fn add(
        &mut self,
        place: Vec3,
        shows: u32,
        row: impl IntoIterator<Item = (u32, f64)>,
    ) -> u32 {
        self.positions.push(place);
        self.rows.push(row, 0.0);
        self.copied.push(shows);
        self.positions.len() as u32 - 1
    }

    /// Adds a copy at a vertex, with the unit vector to its side.
    pub fn add_side(&mut self, v: u32, side: Vec3) {
        let all = self.positions.len();
        self.inward.resize(all, Default::default());
        let (count, sum) = &mut self.inward[v as usize];
        *count += 1;
        *sum += side;
    }

    /// Into the side that each vertex belongs to; zero for those that belong to both.
    pub fn directions(&self) -> Vec<Vec3> {
        let mean = |(count, sum): &(u32, Vec3)| {
            let is_one_side = sum.norm() > 0.5 * f64::from(*count);
            if is_one_side { *sum } else { Vec3::zeros() }
        };
        let mut all: Vec<Vec3> = self.inward.iter().map(mean).collect();
        all.resize(self.positions.len(), Vec3::zeros());
        all
    }

    /// The piece of the body of each vertex, by that of each node.
    pub fn pieces(&self, of_nodes: &[u32]) -> Vec<u32> {
        let piece = |nodes: &[u32]| nodes.first().map_or(u32::MAX, |k| of_nodes[*k as usize]);
        let all = 0..self.rows.len();
        all.map(|v| piece(self.rows.row(v).0)).collect()
    }
}
