//! What decimation returns.

use pliant_core::mesh::SurfaceMesh;

/// A decimated surface.
#[derive(Debug, Clone, PartialEq)]
pub struct Decimated {
    /// The surface; a vertex group holds the vertices that stand for its former members.
    pub surface: SurfaceMesh,
    /// Edges collapsed.
    pub collapses: usize,
    /// Collapses that were tried and refused. The target was missed when `surface` has more triangles than asked for: no legal collapse was left.
    pub refused: usize,
}
