//! Isosurface stuffing: tetrahedra with good dihedral angles inside any closed surface.
//!
//! After Labelle and Shewchuk 2007, "Isosurface stuffing: fast tetrahedral meshes with good dihedral angles", on a uniform
//! body-centred cubic lattice. Their stencils with exact cut points keep all angles between 10.7 and 164.8 degrees; our rule
//! for diagonals is simpler than theirs, so here the range is measured, not proved. The field is the winding number's
//! sign with the distance to the surface, so self-intersections and small holes do no harm.

mod cuts;
mod lattice;
mod pull;
mod repair;
pub(crate) mod size;
mod stencils;
#[cfg(test)]
pub(crate) mod test_shapes;
#[cfg(test)]
mod tests;

pub use lattice::SITE_LIMIT;
pub use pull::{ANGLE_RANGE, FIT_RANGE, pull_to_surface};

use pliant_core::asset::Progress;
use pliant_core::mesh::{SurfaceMesh, TetMesh};

use crate::error::MeshingError;
use crate::solid::{MeshSolid, Thickened};
use crate::tetrahedralise::{TetMesher, TetSpec, TetTarget, verify_tets};

/// The mesher that takes every closed surface.
///
/// Node counts come out within about 15 % of the target where the shape allows it; creases are rounded at the size of a cell.
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
        let solid = MeshSolid::new(surface)?;
        Ok(stuff(&solid, surface, spec.target, 0.0, progress)?.0)
    }
}

/// Stuffs `solid` (the inside of `surface`), thickened by `thicken` times the lattice spacing, and pulls the result back
/// onto the surface as far as the angles allow. Answers the mesh and the spacing, m.
///
/// # Errors
/// As [`TetMesher::tetrahedralise`]; [`MeshingError::NoVolume`] when no lattice of a size that fits sees an inside.
pub(crate) fn stuff(
    solid: &MeshSolid,
    surface: &SurfaceMesh,
    target: TetTarget,
    thicken: f64,
    progress: &Progress,
) -> Result<(TetMesh, f64), MeshingError> {
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
    pull_to_surface(&mut mesh, solid, range, progress)?;
    verify_tets(&mesh)?;
    Ok((mesh, spacing))
}

fn positive(what: &'static str, value: f64) -> Result<f64, MeshingError> {
    if value.is_finite() && value > 0.0 {
        Ok(value)
    } else {
        Err(MeshingError::BadSize { what, value })
    }
}
