//! A place of a problem.

use pliant_core::math::Vec3;

/// Most places of a problem that are kept.
pub const MAX_PLACES: usize = 100;

/// A place of a problem: triangles, edges or points that belong together, such as the rim of a hole.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// What it is made of.
    pub shape: PlaceShape,
    /// Corners of its triangles, ends of its edges, or its points, one piece after the other.
    pub points: Vec<Vec3>,
}

/// What a place is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlaceShape {
    /// One point each.
    Points,
    /// Two points each.
    Edges,
    /// Three points each.
    Triangles,
}

impl PlaceShape {
    /// Points of one piece.
    pub fn corners(self) -> usize {
        match self {
            Self::Points => 1,
            Self::Edges => 2,
            Self::Triangles => 3,
        }
    }
}
