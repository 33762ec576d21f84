//! Isosurface stuffing as a [`TetMesher`].

use pliant_core::asset::Progress;
use pliant_core::mesh::{SurfaceMesh, TetMesh};

use super::stuff::stuff_matched;
use crate::error::MeshingError;
use crate::geometry::solid::MeshSolid;
use crate::tetrahedralise::mesher::{TetMesher, TetTarget};

/// The mesher that takes every closed surface.
///
/// Node counts come out within about 15 % of the target where the shape allows it. Corners, sharp edges and tips that are
/// not smaller than the tetrahedra get nodes; what is smaller is rounded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stuffing;

impl TetMesher for Stuffing {
    fn name(&self) -> &'static str {
        "stuffing"
    }

    fn is_stuffing(&self) -> bool {
        true
    }

    fn tetrahedralise(
        &self,
        surface: &SurfaceMesh,
        target: TetTarget,
        progress: &Progress,
    ) -> Result<TetMesh, MeshingError> {
        let solid = MeshSolid::new(surface)?;
        Ok(stuff_matched(&solid, surface, target, 0.0, progress)?.mesh)
    }
}
