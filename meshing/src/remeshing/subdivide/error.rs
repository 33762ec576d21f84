//! Why a surface cannot be subdivided or remeshed.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::validate::topology;

use crate::repair::error::{middle, point};
use crate::repair::steps::faces::repeats;

/// Failure of [`crate::subdivide::subdivide`], of the tags of sharp edges, and of [`crate::remesh::remesh`]. The variant's name is the error code that scripts match on.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SubdivideError {
    /// There is no triangle.
    #[error("the mesh has no triangles\n  remedy: export a triangle surface, not points or wires")]
    EmptyMesh,
    /// A triangle names a vertex that does not exist, or one vertex twice.
    #[error(
        "triangle {triangle} does not have three vertices of its own among {vertices}\n  remedy: repair the mesh first"
    )]
    BadTriangle {
        /// The triangle, from 0.
        triangle: usize,
        /// Number of vertices.
        vertices: usize,
    },
    /// A vertex is not at a finite position.
    #[error(
        "vertex {vertex} has a coordinate that is not a finite number\n  remedy: repair the mesh first"
    )]
    NonFinite {
        /// The vertex, from 0.
        vertex: usize,
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
        /// Requested triangles.
        base_faces: usize,
    },
    /// There would be too many triangles.
    #[error(
        "{levels} levels on a base of {base_faces} triangles give more than {limit}\n  remedy: use fewer levels, or a smaller base"
    )]
    TooManyTriangles {
        /// Requested levels.
        levels: usize,
        /// Triangles of the base, as far as it could be decimated.
        base_faces: usize,
        /// The most triangles of the finest level.
        limit: usize,
    },
    /// A face was tagged that the surface does not have.
    #[error(
        "there is no triangle {face} among {triangles}\n  remedy: tag only triangles of the base"
    )]
    NoSuchFace {
        /// The triangle named, from 0.
        face: u32,
        /// Number of triangles.
        triangles: usize,
    },
    /// Cancelled by the owner of the job.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// Refuses what is not a closed, oriented manifold with finite positions. Cost O(n log n).
pub(crate) fn require_closed_manifold(
    surface: &SurfaceMesh,
    progress: &Progress,
) -> Result<(), SubdivideError> {
    progress.check()?;
    let vertices = surface.vertex_count();
    if surface.triangles.is_empty() {
        return Err(SubdivideError::EmptyMesh);
    }
    let bad = |t: &[u32; 3]| repeats(t) || t.iter().any(|&v| v as usize >= vertices);
    if let Some(triangle) = surface.triangles.iter().position(bad) {
        return Err(SubdivideError::BadTriangle { triangle, vertices });
    }
    let finite = |p: &pliant_core::math::Vec3| p.iter().all(|x| x.is_finite());
    if let Some(vertex) = surface.positions.iter().position(|p| !finite(p)) {
        return Err(SubdivideError::NonFinite { vertex });
    }
    let found = topology(surface);
    let middle = |edge| middle(surface, edge);
    if let Some(&edge) = found.boundary_edges.first() {
        return Err(SubdivideError::OpenSurface {
            edges: found.boundary_edges.len(),
            at: middle(edge),
        });
    }
    if let Some(&edge) = found.non_manifold_edges.first() {
        return Err(SubdivideError::NotManifold { at: middle(edge) });
    }
    if let Some(&v) = found.non_manifold_vertices.first() {
        return Err(SubdivideError::NotManifold { at: middle([v, v]) });
    }
    if let Some(&edge) = found.misoriented_edges.first() {
        return Err(SubdivideError::NotOriented { at: middle(edge) });
    }
    Ok(())
}
