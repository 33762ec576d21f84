//! Why a surface cannot be remeshed.

use pliant_core::asset::Cancelled;

use crate::remeshing::subdivide::SubdivideError;
use crate::repair::error::point;

/// Failure of [`crate::remesh::remesh`]. The variant's name is the error code that scripts match on.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RemeshError {
    /// There is no triangle.
    #[error("the mesh has no triangles\n  remedy: export a triangle surface, not points or wires")]
    EmptyMesh,
    /// A triangle names a vertex that does not exist or one vertex twice, or a position is not finite.
    #[error("the mesh is damaged: {what}\n  remedy: repair it first, see `pliant check`")]
    DamagedMesh {
        /// What is wrong, with the number of the triangle or vertex.
        what: String,
    },
    /// The surface has holes.
    #[error("the surface is open: {edges} edges have one triangle, one near {}\n  remedy: close the holes, or repair the mesh first", point(.at))]
    OpenSurface {
        /// Edges with one triangle only.
        edges: usize,
        /// Middle of one of them, m.
        at: [f64; 3],
    },
    /// Triangles branch or touch in a point.
    #[error("the surface is not a manifold near {}\n  remedy: repair the mesh first", point(.at))]
    NotManifold {
        /// A place where it is not, m.
        at: [f64; 3],
    },
    /// Neighbouring triangles disagree about the outside.
    #[error("the triangles near {} disagree about the outside\n  remedy: repair the mesh first", point(.at))]
    NotOriented {
        /// Middle of an edge between two such triangles, m.
        at: [f64; 3],
    },
    /// All vertices are at one point, or the extent overflows.
    #[error("the diagonal of the surface is {diagonal} m\n  remedy: check the unit of the mesh")]
    BadExtent {
        /// Diagonal of the bounding box, m.
        diagonal: f64,
    },
    /// A base of so few triangles does not exist.
    #[error("a base of {base_faces} triangles does not close\n  remedy: use 4 or more")]
    BaseTooSmall {
        /// Triangles asked for.
        base_faces: usize,
    },
    /// There would be too many triangles.
    #[error(
        "{levels} levels on a base of {base_faces} triangles give more than {limit}\n  remedy: use fewer levels, or a smaller base"
    )]
    TooManyTriangles {
        /// Levels asked for.
        levels: usize,
        /// Triangles of the base, as far as it could be decimated.
        base_faces: usize,
        /// The most triangles of the finest level.
        limit: usize,
    },
    /// Cancelled by the owner of the job.
    #[error("cancelled")]
    Cancelled,
}

impl From<Cancelled> for RemeshError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

impl From<SubdivideError> for RemeshError {
    fn from(error: SubdivideError) -> Self {
        match error {
            SubdivideError::EmptyMesh => Self::EmptyMesh,
            SubdivideError::OpenSurface { edges, at } => Self::OpenSurface { edges, at },
            SubdivideError::NotManifold { at } => Self::NotManifold { at },
            SubdivideError::NotOriented { at } => Self::NotOriented { at },
            SubdivideError::Cancelled => Self::Cancelled,
            other => Self::DamagedMesh {
                what: first_line(&other.to_string()),
            },
        }
    }
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_string()
}
