//! Isosurface stuffing: tetrahedra with good dihedral angles inside any closed surface.
//!
//! After Labelle and Shewchuk 2007, "Isosurface stuffing: fast tetrahedral meshes with good dihedral angles", on a uniform
//! body-centred cubic lattice. Their stencils with exact cut points keep all angles between 10.7 and 164.8 degrees; our rule
//! for diagonals is simpler than theirs, so here the range is measured, not proved. The field is the winding number's
//! sign with the distance to the surface, so self-intersections and small holes do no harm.
//!
//! The boundary is then pulled onto the surface, keeping [`ANGLE_RANGE`]. Sharp edges and corners get nodes of their own (the
//! wish of Doran 2013, "Isosurface stuffing improved: acute lattices and feature matching", by other means): a node is put
//! onto the feature, its neighbours are moved to make room, flat tetrahedra are taken off, and boundary edges that
//! cross a sharp edge are exchanged, as long as [`MATCHED_RANGE`] holds around it.

mod cells;
mod cuts;
pub(crate) mod features;
mod fitting;
mod flips;
mod lattice;
mod matching;
mod pull;
mod repair;
mod room;
pub(crate) mod size;
mod star;
mod stencils;
#[cfg(test)]
pub(crate) mod test_shapes;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_features;

pub use fitting::MATCHED_RANGE;
pub use lattice::SITE_LIMIT;
pub use matching::Matched;
pub use pull::{ANGLE_RANGE, FIT_RANGE, pull_to_surface};

use pliant_core::asset::Progress;
use pliant_core::mesh::{SurfaceMesh, TetMesh};

use crate::error::MeshingError;
use crate::solid::{MeshSolid, Thickened};
use crate::tetrahedralise::{TetMesher, TetSpec, TetTarget, verify_tets};

/// The mesher that takes every closed surface.
///
/// Node counts come out within about 15 % of the target where the shape allows it. Corners, sharp edges and tips that are
/// not smaller than the tetrahedra are matched, see [`Matched`]; what is smaller is rounded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stuffing;

/// Lattice spacing over mean edge length of a stuffed mesh.
pub(crate) const SPACING_OVER_EDGE: f64 = 1.15;

impl TetMesher for Stuffing {
    fn name(&self) -> &'static str {
        "stuffing"
    }

    fn can_thicken(&self) -> bool {
        true
    }

    fn tetrahedralise(
        &self,
        surface: &SurfaceMesh,
        spec: &TetSpec,
        progress: &Progress,
    ) -> Result<TetMesh, MeshingError> {
        Ok(self.tetrahedralise_matched(surface, spec, progress)?.0)
    }

    fn tetrahedralise_matched(
        &self,
        surface: &SurfaceMesh,
        spec: &TetSpec,
        progress: &Progress,
    ) -> Result<(TetMesh, Matched), MeshingError> {
        let solid = MeshSolid::new(surface)?;
        let stuffed = stuff_matched(&solid, surface, spec.target, 0.0, progress)?;
        Ok((stuffed.mesh, stuffed.matched))
    }
}

/// What [`stuff_matched`] makes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Stuffed {
    /// The tetrahedra.
    pub mesh: TetMesh,
    /// Lattice spacing, m.
    pub spacing: f64,
    /// Sharp features that the mesh follows.
    pub matched: Matched,
}

/// Stuffs `solid` (the inside of `surface`), thickened by `thicken` times the lattice spacing, and pulls the result back
/// onto the surface and its sharp features as far as the angles allow.
///
/// # Errors
/// As [`TetMesher::tetrahedralise`]; [`MeshingError::NoVolume`] when no lattice of a size that fits sees an inside.
pub(crate) fn stuff_matched(
    solid: &MeshSolid,
    surface: &SurfaceMesh,
    target: TetTarget,
    thicken: f64,
    progress: &Progress,
) -> Result<Stuffed, MeshingError> {
    let at_spacing = |spacing: f64| {
        let thick = Thickened {
            solid,
            by: thicken * spacing,
        };
        repair::stuff_lattice(&thick, spacing, progress)
    };
    let (mut mesh, spacing) = match target {
        TetTarget::Edge(edge) => {
            let start = positive("the edge length", edge)? * SPACING_OVER_EDGE;
            size::first_not_empty(start, size::finest_spacing(surface, start), at_spacing)?
        }
        TetTarget::Nodes(nodes) => {
            let nodes = positive("the number of nodes", nodes as f64)?;
            let start = size::spacing_guess(surface, nodes);
            let finest = size::finest_spacing(surface, start);
            size::search(start, finest, nodes, |mesh| mesh.nodes.len(), at_spacing)?
        }
    };
    let range = if thicken > 0.0 {
        ANGLE_RANGE
    } else {
        FIT_RANGE
    };
    let matched = pull_to_surface(&mut mesh, solid, range, progress)?;
    verify_tets(&mesh)?;
    Ok(Stuffed {
        mesh,
        spacing,
        matched,
    })
}

fn positive(what: &'static str, value: f64) -> Result<f64, MeshingError> {
    if value.is_finite() && value > 0.0 {
        Ok(value)
    } else {
        Err(MeshingError::BadSize { what, value })
    }
}
