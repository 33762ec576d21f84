//! A cut surface under way: its vertices, and what they hang on.

use pliant_core::math::Vec3;
use pliant_core::mesh::SkinEmbedding;
use pliant_core::mesh::embedding::{AttachedPlace, row_of};

use crate::model::cutting::copies::Copies;

/// What a place hangs on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Hold {
    pub copy: u32,
    /// in the tetrahedron of the copy
    pub place: AttachedPlace,
}

impl Hold {
    /// Nodes and weights.
    pub fn row(&self, copies: &Copies) -> impl Iterator<Item = (u32, f64)> + use<> {
        row_of(copies.all[self.copy as usize].nodes, self.place.weights)
    }
}

/// A surface under way.
#[derive(Debug, Default)]
pub(super) struct Drawing {
    pub positions: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
    /// of nodes and weights
    pub rows: SkinEmbedding,
    pub copied: Vec<u32>,
    /// for each vertex how many copies of tetrahedra it goes with, and the sum of unit vectors to their sides
    pub inward: Vec<(u32, Vec3)>,
}

impl Drawing {
    /// Adds a vertex that shows a vertex of the skin, or a cap.
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

    /// Notes that a vertex goes with a copy, with the unit vector to its side.
    pub fn goes_with(&mut self, v: u32, side: Vec3) {
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

    /// The piece of the body that each vertex goes with.
    pub fn pieces(&self, copies: &Copies) -> Vec<u32> {
        let of_nodes = copies.pieces();
        let piece = |nodes: &[u32]| nodes.first().map_or(u32::MAX, |k| of_nodes[*k as usize]);
        let all = 0..self.rows.len();
        all.map(|v| piece(self.rows.row(v).0)).collect()
    }

    /// Adds these vertices once more. They show what those do, or `shows`.
    pub fn add_again(&mut self, vertices: &[u32], shows: Option<u32>) {
        let skin = self.positions.len() - self.copied.len();
        for &v in vertices {
            let k = v as usize;
            let known = k.checked_sub(skin).map_or(v, |k| self.copied[k]);
            self.positions.push(self.positions[k]);
            self.rows.push_again(k);
            self.copied.push(shows.unwrap_or(known));
        }
    }
}
