//! The contact surface of a body that was cut or has broken.

use crate::mesh::{SkinEmbedding, SurfaceMesh};

/// The closed surface of a body that was cut or has broken, and the nodes that its vertices follow. The first vertices are those of the skin, in its order. Copies along the cuts, and the
/// corners of exposed faces, follow.
#[derive(Debug, Clone, PartialEq)]
pub struct PartedSurface {
    /// The surface at rest, m. Vertices of the skin may lie on a nearby cut, or belong to no triangle.
    pub surface: SurfaceMesh,
    /// Nodes and weights of each vertex, all of one piece. Weights sum to one; some are negative where a vertex lies beside its nodes.
    pub rows: SkinEmbedding,
    /// Number of the piece of the body that each vertex belongs to.
    pub pieces: Vec<u32>,
}
