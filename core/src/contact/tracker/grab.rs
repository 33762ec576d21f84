//! Skin vertices that are moved along a path.

use crate::boundary::{ConstrainedDirections, DisplacementConstraint};
use crate::math::Vec3;

/// Skin vertices that are moved along a path.
#[derive(Debug, Clone, PartialEq)]
pub struct Grab {
    /// Name as the scene writes it.
    pub name: String,
    /// Skin vertices, ascending.
    pub vertices: Vec<u32>,
    /// Displacement from rest when the frame begins, m.
    pub begin: Vec3,
    /// Displacement from rest when the frame ends, m.
    pub end: Vec3,
    /// Displacement of each vertex that is added to the common one, m, in the order of `vertices`; empty for none. With it a hand that grabs
    /// a deformed body keeps the body's shape.
    pub offsets: Vec<Vec3>,
    /// Displacement of each vertex when the frame begins and when it ends, m, in the order of `vertices`. It replaces `begin` and `end`; empty
    /// where all vertices move alike. Offsets are added to it, too.
    pub own_displacements: Vec<[Vec3; 2]>,
    /// Directions in which the vertices are held; they slide freely in the others.
    pub directions: ConstrainedDirections,
}

impl Grab {
    /// Displacement of vertex `k` of `vertices` when the frame begins and when it ends, without its offset, m.
    pub fn displacement_of(&self, k: usize) -> [Vec3; 2] {
        let own = self.own_displacements.get(k).copied();
        own.unwrap_or([self.begin, self.end])
    }

    /// Constraint of vertex `k` of `vertices`, whose rest position is `rest` (m), in a frame of `duration` seconds.
    pub(super) fn constraint_of(
        &self,
        k: usize,
        rest: &Vec3,
        duration: f64,
    ) -> DisplacementConstraint {
        let offset = self.offsets.get(k).copied().unwrap_or_else(Vec3::zeros);
        let [begin, end] = self.displacement_of(k);
        DisplacementConstraint {
            directions: self.directions,
            ..DisplacementConstraint::held(self.vertices[k], rest + offset + end)
                .moving((end - begin) / duration)
        }
    }
}
