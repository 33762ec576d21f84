//! Isosurface stuffing from the request to the checked mesh.

use pliant_core::asset::Progress;
use pliant_core::mesh::{SurfaceMesh, TetMesh};

use super::cutting::repair;
use super::fitting::angle_ranges::{ANGLE_RANGE, FIT_RANGE};
use super::fitting::pull::{Matched, pull_to_surface};
use super::spacing;
use crate::error::{MeshingError, positive};
use crate::geometry::solid::{MeshSolid, Thickened};
use crate::geometry::thin_parts::ThickenedThinParts;
use crate::tetrahedralise::mesher::TetTarget;
use crate::tetrahedralise::verify::verify_tets;

/// Lattice spacing over mean edge length of a stuffed mesh.
pub(crate) const SPACING_OVER_EDGE: f64 = 1.15;

/// The result of [`stuff_matched`].
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Stuffed {
    /// The tetrahedra.
    pub mesh: TetMesh,
    /// How far walls were moved outwards, m. Where only thin parts were thickened, the largest offset of those.
    pub moved: f64,
    /// Sharp features that the mesh follows.
    pub matched: Matched,
}

impl Stuffed {
    /// A mesh that was made elsewhere.
    pub fn of(mesh: TetMesh) -> Self {
        Self {
            mesh,
            moved: 0.0,
            matched: Matched::default(),
        }
    }
}

/// Stuffs `solid` (the inside of `surface`), thickened by `thicken` times the lattice spacing, and pulls the result back
/// onto the surface and its sharp features as far as the angles allow.
///
/// # Errors
/// As [`TetMesher::tetrahedralise`](crate::tetrahedralise::TetMesher::tetrahedralise); [`MeshingError::NoVolume`] when no lattice of an allowed size has a site inside.
pub(crate) fn stuff_matched(
    solid: &MeshSolid,
    surface: &SurfaceMesh,
    target: TetTarget,
    thicken: f64,
    progress: &Progress,
) -> Result<Stuffed, MeshingError> {
    let at_spacing = |spacing: f64| stuff_thickened(solid, thicken, spacing, progress);
    let (mesh, spacing) = match target {
        TetTarget::Edge(edge) => {
            let start = positive("the edge length", edge)? * SPACING_OVER_EDGE;
            spacing::first_not_empty(start, spacing::finest_spacing(surface, start), at_spacing)?
        }
        TetTarget::Nodes(nodes) => {
            let nodes = positive("the number of nodes", nodes as f64)?;
            let start = spacing::spacing_guess(surface, nodes);
            spacing::search(surface, start, nodes, |mesh| mesh.nodes.len(), at_spacing)?
        }
    };
    fitted(mesh, solid, thicken * spacing, progress)
}

/// As [`stuff_matched`] for about `nodes` nodes on the boundary. Fitting moves nodes and adds none, so only the mesh that is kept is fitted.
///
/// # Errors
/// As [`stuff_matched`].
pub(crate) fn stuff_boundary(
    solid: &MeshSolid,
    surface: &SurfaceMesh,
    nodes: usize,
    thicken: f64,
    progress: &Progress,
) -> Result<Stuffed, MeshingError> {
    let nodes = positive("the number of boundary nodes", nodes as f64)?;
    let start = spacing::boundary_spacing_guess(surface, nodes);
    let (mesh, spacing) = spacing::search(
        surface,
        start,
        nodes,
        |mesh| mesh.boundary().node_of_vertex.len(),
        |spacing| stuff_thickened(solid, thicken, spacing, progress),
    )?;
    fitted(mesh, solid, thicken * spacing, progress)
}

/// The lattice of one spacing (m) in `solid` with walls moved outwards by `thicken` spacings; `None` when no site is inside.
fn stuff_thickened(
    solid: &MeshSolid,
    thicken: f64,
    spacing: f64,
    progress: &Progress,
) -> Result<Option<TetMesh>, MeshingError> {
    let thick = Thickened {
        solid,
        offset: thicken * spacing,
    };
    repair::stuff_lattice(&thick, spacing, progress)
}

/// `mesh` pulled onto the surface, and checked; its walls were `moved` outwards, m.
fn fitted(
    mesh: TetMesh,
    solid: &MeshSolid,
    moved: f64,
    progress: &Progress,
) -> Result<Stuffed, MeshingError> {
    let range = if moved > 0.0 { ANGLE_RANGE } else { FIT_RANGE };
    let (mesh, matched) = pull_to_surface(mesh, solid, range, progress)?;
    verify_tets(&mesh)?;
    Ok(Stuffed {
        mesh,
        moved,
        matched,
    })
}

/// As [`stuff_matched`] for one lattice spacing (m), but only the parts that are too thin for it are thickened. `None` where no part is too thin, or where no mesh results.
///
/// # Errors
/// As [`stuff_matched`].
pub(crate) fn stuff_thin_parts(
    solid: &MeshSolid,
    surface: &SurfaceMesh,
    spacing: f64,
    progress: &Progress,
) -> Result<Option<Stuffed>, MeshingError> {
    let Some(thick) = ThickenedThinParts::new(solid, surface, spacing) else {
        return Ok(None);
    };
    repair::stuff_lattice(&thick, spacing, progress)?
        .map(|mesh| fitted(mesh, solid, thick.max_offset(), progress))
        .transpose()
}
