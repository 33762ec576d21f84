//! The surface of a body in parts, as other bodies touch it.

use crate::mesh::{SkinEmbedding, SurfaceMesh};

/// The closed surface of a body that was cut or has broken, and what its vertices follow. The first vertices are those of the skin, in its order; then come copies along the cuts, and the
/// corners of the faces that were laid open.
#[derive(Debug, Clone, PartialEq)]
pub struct PartedSurface {
    /// At rest, m. Vertices of the skin may lie on a cut beside them, or belong to no triangle.
    pub surface: SurfaceMesh,
    /// Nodes and weights of each vertex, all of one piece. Weights sum to one; some are negative where a vertex lies beside its nodes.
    pub rows: SkinEmbedding,
    /// Number of the piece of the body that each vertex goes with.
    pub pieces: Vec<u32>,
}
