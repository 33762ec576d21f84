//! Meshes that a program has in memory and gives to a scene instead of a file.

use std::sync::Arc;

use crate::math::Vec3;
use crate::mesh::{SurfaceMesh, TetMesh};

/// A surface, and optionally the tetrahedra inside. It is checked like a mesh file: every vertex number is in range, and every coordinate is finite.
#[derive(Debug, Clone, PartialEq)]
pub struct GivenMesh {
    surface: Arc<SurfaceMesh>,
    tets: Option<Arc<TetMesh>>,
}

/// A mesh that cannot be used as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GivenMeshError {
    /// The mesh has no triangle.
    #[error("the mesh has no triangle\n  remedy: give at least a closed surface of four triangles")]
    Empty,
    /// A coordinate is NaN or infinite.
    #[error(
        "vertex {vertex} of the mesh is not finite\n  remedy: look where its coordinates come from"
    )]
    NotFinite {
        /// The vertex.
        vertex: usize,
    },
    /// A vertex number without a vertex.
    #[error(
        "triangle {triangle} of the mesh names vertex {vertex}, but there are {vertices}\n  remedy: count vertices from 0, in triples"
    )]
    NoSuchVertex {
        /// The triangle.
        triangle: usize,
        /// The vertex number.
        vertex: u32,
        /// How many vertices there are.
        vertices: usize,
    },
}

impl GivenMesh {
    /// A surface. When the scene is built, the program checks whether it bounds a solid, and repairs it where that is allowed.
    ///
    /// # Errors
    /// [`GivenMeshError`] names the vertex or triangle.
    pub fn surface_only(surface: SurfaceMesh) -> Result<Self, GivenMeshError> {
        check(&surface)?;
        Ok(Self {
            surface: Arc::new(surface),
            tets: None,
        })
    }

    /// Tetrahedra, each with positive volume, whose boundary is the skin.
    ///
    /// # Errors
    /// [`GivenMeshError`] names the vertex or triangle of that boundary.
    pub fn with_tets(tets: TetMesh) -> Result<Self, GivenMeshError> {
        let nodes = tets.nodes.len();
        let mut corners = tets
            .tets
            .iter()
            .enumerate()
            .flat_map(|(t, tet)| tet.map(|v| (t, v)));
        if let Some((triangle, vertex)) = corners.find(|(_, v)| *v as usize >= nodes) {
            return Err(GivenMeshError::NoSuchVertex {
                triangle,
                vertex,
                vertices: nodes,
            });
        }
        let surface = tets.boundary().surface;
        check(&surface)?;
        Ok(Self {
            surface: Arc::new(surface),
            tets: Some(Arc::new(tets)),
        })
    }

    /// The surface.
    pub fn surface(&self) -> &SurfaceMesh {
        &self.surface
    }

    /// The tetrahedra, where there are some.
    pub fn tets(&self) -> Option<&TetMesh> {
        self.tets.as_deref()
    }
}

fn check(surface: &SurfaceMesh) -> Result<(), GivenMeshError> {
    if surface.triangles.is_empty() {
        return Err(GivenMeshError::Empty);
    }
    let is_finite = |x: &Vec3| x.iter().all(|c| c.is_finite());
    if let Some(vertex) = surface.positions.iter().position(|x| !is_finite(x)) {
        return Err(GivenMeshError::NotFinite { vertex });
    }
    let vertices = surface.positions.len();
    for (triangle, corners) in surface.triangles.iter().enumerate() {
        if let Some(&vertex) = corners.iter().find(|v| **v as usize >= vertices) {
            return Err(GivenMeshError::NoSuchVertex {
                triangle,
                vertex,
                vertices,
            });
        }
    }
    Ok(())
}
