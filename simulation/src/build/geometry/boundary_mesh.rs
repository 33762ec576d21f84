//! The mesh of Green's functions: tetrahedra whose boundary nodes carry contact.

use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::mesh::TetMesh;
use pliant_core::mesh::procedural::{CellStyle, box_cells, box_tets};
use pliant_core::scene::{BoundaryChoice, GreensElements, GreensGenerator};
use pliant_meshing::error::MeshingError;
use pliant_meshing::lod::boundary_level;
use pliant_meshing::report::require_fit;
use pliant_meshing::stuffing::Stuffing;

use super::fit::{is_imported, note_fit, note_mass};
use crate::setup::Setup;

/// Boundary nodes of the Green's function mesh where the scene leaves the choice.
const DEFAULT_BOUNDARY_NODES: usize = 1500;

/// Most vertices of a skin that is its own boundary mesh, where the scene leaves the choice.
const MAX_OWN_BOUNDARY_NODES: usize = 2500;

/// Both numbers for quadratic tetrahedra, which have about eight times the unknowns. A bake then takes at most twice as long as with linear ones. With 1,500
/// nodes instead, the force of the scene `poke` changes by half a percent.
const QUADRATIC_LIMITS: (usize, usize) = (1000, 1300);

/// Both numbers for constant elements, which have two nodes for each boundary vertex.
const CONSTANT_LIMITS: (usize, usize) = (600, 800);

/// The mesh of Green's functions; adds sentences for the user to `notes`.
pub(super) fn greens_level(
    setup: &Setup,
    notes: &mut Vec<String>,
    progress: &Progress,
) -> Result<TetMesh, MeshingError> {
    let choice = setup.description.body.quasistatic.boundary;
    let (default_nodes, max_own_nodes) = boundary_limits(setup);
    let skin = &setup.geometry.skin;
    if let Some(size) = setup.box_size {
        let skin_is_boundary = match choice {
            BoundaryChoice::Skin => true,
            BoundaryChoice::Auto => skin.vertex_count() <= max_own_nodes,
            BoundaryChoice::Nodes(_) => false,
        };
        let cells = if skin_is_boundary {
            cells_of_skin(setup, size)
        } else {
            let max_nodes = match choice {
                BoundaryChoice::Nodes(n) => n,
                _ => default_nodes,
            };
            cells_with_boundary(size, max_nodes)
        };
        return Ok(box_tets(size, cells, CellStyle::Kuhn));
    }
    let nodes = match choice {
        BoundaryChoice::Nodes(n) => n,
        BoundaryChoice::Skin => {
            notes.push("boundary = \"skin\" needs a mesh whose boundary is exactly the skin; the skin is embedded in a level instead".into());
            skin.vertex_count().min(max_own_nodes)
        }
        BoundaryChoice::Auto => default_nodes,
    };
    fitted_level(setup, nodes, notes, progress)
}

/// Tetrahedra whose boundary has about `nodes` nodes, behind a surface that takes the contacts instead; adds sentences for the user to `notes`.
pub(super) fn elements_behind_surface(
    setup: &Setup,
    nodes: usize,
    notes: &mut Vec<String>,
    progress: &Progress,
) -> Result<TetMesh, MeshingError> {
    if let Some(size) = setup.box_size {
        let cells = cells_with_boundary(size, nodes);
        return Ok(box_tets(size, cells, CellStyle::Kuhn));
    }
    fitted_level(setup, nodes, notes, progress)
}

fn fitted_level(
    setup: &Setup,
    nodes: usize,
    notes: &mut Vec<String>,
    progress: &Progress,
) -> Result<TetMesh, MeshingError> {
    let skin = &setup.geometry.skin;
    let level = boundary_level(skin, nodes, &Stuffing, progress)?;
    if is_imported(setup) {
        require_fit(skin, std::slice::from_ref(&level))?;
    }
    note_fit(&level, "Green's function mesh", notes);
    note_mass(setup, &level, "a larger quasistatic.boundary", notes);
    Ok(level.mesh)
}

/// Number of boundary nodes, and most vertices of a skin that is its own boundary, where the scene leaves the choice.
pub(super) fn boundary_limits(setup: &Setup) -> (usize, usize) {
    let quasistatic = &setup.description.body.quasistatic;
    match quasistatic.generator {
        GreensGenerator::BemConstant => CONSTANT_LIMITS,
        GreensGenerator::Fem if quasistatic.elements == GreensElements::Quadratic => {
            QUADRATIC_LIMITS
        }
        _ => (DEFAULT_BOUNDARY_NODES, MAX_OWN_BOUNDARY_NODES),
    }
}

/// Cells of the structured box whose surface is the skin.
fn cells_of_skin(setup: &Setup, size: Vec3) -> [usize; 3] {
    let cells_along = |axis: usize| {
        let skin = &setup.geometry.skin;
        let mut values: Vec<f64> = skin.positions.iter().map(|x| x[axis]).collect();
        values.sort_by(f64::total_cmp);
        values.dedup_by(|a, b| (*a - *b).abs() < 1e-9 * size[axis]);
        values.len().saturating_sub(1).max(1)
    };
    [cells_along(0), cells_along(1), cells_along(2)]
}

/// The finest nearly cubic cells whose boundary has at most `max_nodes` nodes (never fewer than two cells an axis).
fn cells_with_boundary(size: Vec3, max_nodes: usize) -> [usize; 3] {
    let boundary_nodes = |c: [usize; 3]| {
        let all = (c[0] + 1) * (c[1] + 1) * (c[2] + 1);
        all - (c[0].max(1) - 1) * (c[1].max(1) - 1) * (c[2].max(1) - 1)
    };
    let mut best = box_cells(size, size.max() / 2.0).map(|n| n.max(2));
    for n in 3..200 {
        let cells = box_cells(size, size.max() / n as f64).map(|n| n.max(2));
        if boundary_nodes(cells) > max_nodes {
            break;
        }
        best = cells;
    }
    best
}
