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

mod background;
mod cells;
mod cuts;
pub(crate) mod features;
mod fitting;
mod flips;
mod graded;
mod lattice;
mod matching;
mod octree;
mod pull;
mod repair;
mod room;
pub(crate) mod size;
pub(crate) mod skin_fit;
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
use pliant_core::math::Vec3;
use pliant_core::mesh::quality::dihedral_range;
use pliant_core::mesh::{SurfaceMesh, TetMesh};

use self::graded::GradedLattice;
use self::octree::{Octree, Sizing};
use crate::error::MeshingError;
use crate::solid::{MeshSolid, Solid, Thickened};
use crate::tetrahedralise::{TetMesher, TetSpec, TetTarget, verify_tets};

/// The mesher that takes every closed surface.
///
/// Node counts come out within about 15 % of the target where the shape allows it. Corners, sharp edges and tips that are
/// not smaller than the tetrahedra are matched, see [`Matched`]; what is smaller is rounded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stuffing;

/// Cells that a wall should be thick where the lattice is refined for it, and how often cells are halved at most.
const CELLS_IN_WALL: f64 = 1.6;
const HALVINGS: u32 = 2;
/// Lattice spacing over mean edge length of a stuffed mesh.
pub(crate) const SPACING_OVER_EDGE: f64 = 1.15;

impl TetMesher for Stuffing {
    fn name(&self) -> &'static str {
        "stuffing"
    }

    fn can_thicken(&self) -> bool {
        true
    }

    fn bounds_angles(&self) -> bool {
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

/// Which cells of the lattice are larger or smaller than the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grading {
    /// None: all tetrahedra are of about one size.
    Uniform,
    /// Larger ones inside: as many boundary nodes with far fewer nodes, for fine levels of bulky bodies.
    Inside,
    /// Larger ones inside, smaller ones where walls are thin or gaps narrow, so that these are neither lost nor joined.
    Thin,
}

/// [`Stuffing`] with tetrahedra of different sizes.
///
/// The angle bound of the graded lattice is not proved: where a result leaves [`ANGLE_RANGE`] (away from matched features), a
/// uniform mesh is answered instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GradedStuffing(pub Grading);

impl TetMesher for GradedStuffing {
    fn name(&self) -> &'static str {
        match self.0 {
            Grading::Uniform => "stuffing-uniform",
            Grading::Inside => "stuffing-graded",
            Grading::Thin => "stuffing-thin",
        }
    }

    fn bounds_angles(&self) -> bool {
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
        let stuffed = stuff_graded(&solid, surface, spec.target, 0.0, self.0, progress)?;
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
    stuff_graded(solid, surface, target, thicken, Grading::Uniform, progress)
}

/// As [`stuff_matched`], on a graded lattice, or on a uniform one where the angles of the graded mesh are out of range.
///
/// # Errors
/// As [`stuff_matched`].
pub(crate) fn stuff_graded(
    solid: &MeshSolid,
    surface: &SurfaceMesh,
    target: TetTarget,
    thicken: f64,
    grading: Grading,
    progress: &Progress,
) -> Result<Stuffed, MeshingError> {
    let at_spacing = |spacing: f64| {
        let thick = Thickened {
            solid,
            by: thicken * spacing,
        };
        match grading {
            Grading::Uniform => repair::stuff_lattice(&thick, spacing, progress),
            _ => stuff_octree(solid, &thick, spacing, grading == Grading::Thin, progress),
        }
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
    let valid = verify_tets(&mesh);
    if grading != Grading::Uniform && !(valid.is_ok() && angles_hold(&mesh, &matched)) {
        return stuff_matched(solid, surface, target, thicken, progress);
    }
    valid?;
    Ok(Stuffed {
        mesh,
        spacing,
        matched,
    })
}

/// The mesh on a graded lattice whose cells at the border have edges of `spacing` (m), or less where `thin` walls need it.
fn stuff_octree<S: Solid>(
    solid: &MeshSolid,
    thick: &S,
    spacing: f64,
    thin: bool,
    progress: &Progress,
) -> Result<Option<TetMesh>, MeshingError> {
    let needed = |x: &Vec3| solid.clearance(x) / CELLS_IN_WALL;
    let sizing = Sizing {
        solid: thick,
        spacing,
        halvings: if thin { HALVINGS } else { 0 },
        needed: &needed,
    };
    let octree = Octree::around(&sizing, progress)?;
    repair::stuff_background(thick, &GradedLattice::new(&octree), progress)
}

/// Whether all dihedral angles are in [`ANGLE_RANGE`], at matched nodes in [`MATCHED_RANGE`].
fn angles_hold(mesh: &TetMesh, matched: &Matched) -> bool {
    (0_u32..).zip(&mesh.tets).all(|(t, tet)| {
        let is_matched = tet.iter().any(|v| matched.nodes.binary_search(v).is_ok());
        let range = if is_matched {
            MATCHED_RANGE
        } else {
            ANGLE_RANGE
        };
        let (low, high) = dihedral_range(mesh.corners(t as usize));
        low > range.0 && high < range.1
    })
}

fn positive(what: &'static str, value: f64) -> Result<f64, MeshingError> {
    if value.is_finite() && value > 0.0 {
        Ok(value)
    } else {
        Err(MeshingError::BadSize { what, value })
    }
}
