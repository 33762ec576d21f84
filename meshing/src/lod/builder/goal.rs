//! What a level should be.

use crate::tetrahedralise::mesher::TetTarget;

/// What a level should be.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Goal {
    /// A resolution; finer ones are tried where it loses parts of the body.
    Tets(TetTarget),
    /// This edge length (m), and no other.
    Edge(f64),
    /// So many nodes on the boundary.
    Boundary(usize),
}
