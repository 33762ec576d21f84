//! The interface of tetrahedral meshers: the request, the trait, and which features of the input a mesh follows.

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

/// A request to a tetrahedral mesher.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TetSpec {
    /// The requested resolution.
    pub target: TetTarget,
}

/// The features that a mesh follows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Matched {
    /// Nodes put onto corners, sharp edges and tips of the input, ascending.
    pub nodes: Vec<u32>,
    /// Corners, tips and points on sharp edges (0.4 mean edges apart) that are off the boundary because a node there would
    /// have pushed a dihedral angle out of 5 to 170 degrees or the boundary off the surface next to it. Features too small
    /// for the mesh do not count.
    pub refused: usize,
    /// Cost of matching: the number of times that the neighbours of a node were relaxed.
    pub(crate) relaxed: usize,
}

/// Fills a closed surface with tetrahedra.
pub trait TetMesher {
    /// Short name, as on the command line.
    fn name(&self) -> &'static str;

    /// Whether walls that are lost at a resolution may be moved outwards instead. Only isosurface stuffing can.
    fn can_thicken(&self) -> bool {
        false
    }

    /// Whether dihedral angles are bounded, whatever the surface.
    fn bounds_angles(&self) -> bool {
        false
    }

    /// Tetrahedra of about the asked size that fill `surface`, valid by [`verify_tets`](crate::tetrahedralise::verify_tets).
    ///
    /// # Errors
    /// Any [`MeshingError`]; which ones depends on the mesher.
    fn tetrahedralise(
        &self,
        surface: &SurfaceMesh,
        spec: &TetSpec,
        progress: &Progress,
    ) -> Result<TetMesh, MeshingError>;

    /// As [`Self::tetrahedralise`], with the sharp features that the mesh follows; none for meshers that keep the surface
    /// as it is.
    ///
    /// # Errors
    /// As [`Self::tetrahedralise`].
    fn tetrahedralise_matched(
        &self,
        surface: &SurfaceMesh,
        spec: &TetSpec,
        progress: &Progress,
    ) -> Result<(TetMesh, Matched), MeshingError> {
        let mesh = self.tetrahedralise(surface, spec, progress)?;
        Ok((mesh, Matched::default()))
    }
}
