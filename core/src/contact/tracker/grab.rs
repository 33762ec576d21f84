//! Skin vertices in the grip of something that moves.

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
    /// Own displacement of each vertex besides the common one, m, in the order of `vertices`; empty for none. A hand that takes hold of
    /// a deformed body keeps its shape.
    pub offsets: Vec<Vec3>,
    /// Displacement of each vertex when the frame begins and when it ends, m, in the order of `vertices`, in place of `begin` and `end`; empty
    /// where all vertices move alike. Offsets are added to it, too.
    pub own_displacements: Vec<[Vec3; 2]>,
    /// In which directions the vertices are held: in the others they are free to slide.
    pub directions: ConstrainedDirections,
}

impl Grab {
    /// Displacement of vertex `k` of `vertices` when the frame begins and when it ends, without its offset, m.
    pub fn displacement_of(&self, k: usize) -> [Vec3; 2] {
        let own = self.own_displacements.get(k).copied();
        own.unwrap_or([self.begin, self.end])
    }

    /// Constraint of vertex `k` of `vertices`, which is at `rest` (m) while nothing moves it, in a frame of `duration` seconds.
    pub(super) fn constraint_of(
        &self,
        k: usize,
        rest: &Vec3,
        duration: f64,
    ) -> DisplacementConstraint {
        let own = self.offsets.get(k).copied().unwrap_or_else(Vec3::zeros);
        let [begin, end] = self.displacement_of(k);
        DisplacementConstraint {
            directions: self.directions,
            ..DisplacementConstraint::held(self.vertices[k], rest + own + end)
                .moving((end - begin) / duration)
        }
    }
}
