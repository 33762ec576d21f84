//! The interface of tetrahedral meshers: the request and the trait.

use pliant_core::asset::Progress;
use pliant_core::mesh::{SurfaceMesh, TetMesh};

use crate::error::MeshingError;

/// How fine a tetrahedral mesh should be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TetTarget {
    /// About this many nodes.
    Nodes(usize),
    /// About this edge length, m.
    Edge(f64),
}

/// Fills a closed surface with tetrahedra.
pub trait TetMesher {
    /// Short name, as on the command line.
    fn name(&self) -> &'static str;

    /// Whether this is isosurface stuffing. Only that one bounds dihedral angles whatever the surface, and can move walls outwards that are lost at a resolution.
    fn is_stuffing(&self) -> bool {
        false
    }

    /// Tetrahedra of about the asked size that fill `surface`, valid by [`verify_tets`](crate::tetrahedralise::verify_tets).
    ///
    /// # Errors
    /// Any [`MeshingError`]; which ones depends on the mesher.
    fn tetrahedralise(
        &self,
        surface: &SurfaceMesh,
        target: TetTarget,
        progress: &Progress,
    ) -> Result<TetMesh, MeshingError>;
}
