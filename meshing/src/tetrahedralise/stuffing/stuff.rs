//! Isosurface stuffing from the request to the checked mesh.

use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::mesh::quality::dihedral_range;
use pliant_core::mesh::{SurfaceMesh, TetMesh};

use super::cutting::repair;
use super::fitting::angle_ranges::{ANGLE_RANGE, FIT_RANGE, MATCHED_RANGE};
use super::fitting::pull::pull_to_surface;
use super::grading::Grading;
use super::lattice::graded::GradedLattice;
use super::lattice::octree::{Octree, Sizing};
use super::spacing;
use crate::error::MeshingError;
use crate::geometry::solid::{MeshSolid, Solid, Thickened};
use crate::tetrahedralise::matched::Matched;
use crate::tetrahedralise::mesher::TetTarget;
use crate::tetrahedralise::verify::verify_tets;

/// Cells that a wall should be thick where the lattice is refined for it, and how often cells are halved at most.
const CELLS_IN_WALL: f64 = 1.6;
const HALVINGS: u32 = 2;
/// Lattice spacing over mean edge length of a stuffed mesh.
pub(crate) const SPACING_OVER_EDGE: f64 = 1.15;

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
/// As [`TetMesher::tetrahedralise`](crate::tetrahedralise::TetMesher::tetrahedralise); [`MeshingError::NoVolume`] when no lattice of a size that fits sees an inside.
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
            spacing::first_not_empty(start, spacing::finest_spacing(surface, start), at_spacing)?
        }
        TetTarget::Nodes(nodes) => {
            let nodes = positive("the number of nodes", nodes as f64)?;
            let start = spacing::spacing_guess(surface, nodes);
            let finest = spacing::finest_spacing(surface, start);
            spacing::search(start, finest, nodes, |mesh| mesh.nodes.len(), at_spacing)?
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
