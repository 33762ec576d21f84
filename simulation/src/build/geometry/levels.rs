//! Levels of tetrahedra for the adaptive method, and the level that a lattice is fitted to.

use std::sync::Arc;

use pliant_adaptive::study::mesh::box_with_about;
use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::mesh::TetMesh;
use pliant_core::mesh::procedural::{CellStyle, box_cells, box_tets};
use pliant_meshing::error::MeshingError;
use pliant_meshing::lod::{build_given, build_targets};
use pliant_meshing::report::require_fit;
use pliant_meshing::stuffing::Stuffing;
use pliant_meshing::tetrahedralise::TetTarget;

use super::fit::{is_imported, note_fit, note_mass, remove_swollen_levels};
use crate::setup::Setup;

/// Node targets of bodies for which the scene gives none.
pub(crate) const DEFAULT_NODES: [usize; 4] = [60, 300, 800, 3000];
/// Tetrahedra of a file with more nodes than this are replaced by levels of our own.
const MAX_FILE_NODES: usize = 12_000;
/// Most nodes of a level of a box: as many as a scene may ask for by `nodes`.
const MAX_BOX_NODES: u64 = 10_000_000;

/// The levels that the scene asks for, or the default ones.
pub(super) fn level_targets(setup: &Setup) -> Vec<TetTarget> {
    if has_default_levels(setup) {
        return DEFAULT_NODES.map(TetTarget::Nodes).to_vec();
    }
    // a scene gives one of the two
    let adaptive = &setup.description.body.adaptive;
    let edges = adaptive.target_edges.iter().copied().map(TetTarget::Edge);
    let nodes = adaptive.nodes.iter().copied().map(TetTarget::Nodes);
    edges.chain(nodes).collect()
}

/// Whether the scene leaves the levels to the program.
fn has_default_levels(setup: &Setup) -> bool {
    let adaptive = &setup.description.body.adaptive;
    adaptive.target_edges.is_empty() && adaptive.nodes.is_empty()
}

/// Keeps only the coarsest `count` of the levels that the scene asks for; `None` where it asks for no more than these.
pub(crate) fn coarsest_levels(setup: &mut Setup, count: usize) -> Option<()> {
    if tets_of_file(setup).is_some() {
        return None;
    }
    let targets = level_targets(setup);
    let adaptive = &mut setup.description.body.adaptive;
    (targets.len() > count).then(|| {
        (adaptive.target_edges, adaptive.nodes) = (Vec::new(), Vec::new());
        for target in &targets[..count] {
            match *target {
                TetTarget::Edge(edge) => adaptive.target_edges.push(edge),
                TetTarget::Nodes(nodes) => adaptive.nodes.push(nodes),
            }
        }
    })
}

/// The tetrahedra of the file, where they become the finest level: the scene names no levels, and there are not too many nodes for real time.
pub(super) fn tets_of_file(setup: &Setup) -> Option<&Arc<TetMesh>> {
    let tets = setup.tets.as_ref().filter(|_| has_default_levels(setup));
    tets.filter(|tets| tets.nodes.len() <= MAX_FILE_NODES)
}

/// The levels of a body, coarse to fine; adds sentences for the user to `notes`.
pub(super) fn levels(
    setup: &Setup,
    notes: &mut Vec<String>,
    progress: &Progress,
) -> Result<Vec<Arc<TetMesh>>, MeshingError> {
    let targets = level_targets(setup);
    if let Some(size) = setup.box_size {
        let mut meshes: Vec<Arc<TetMesh>> = Vec::new();
        for target in targets {
            progress.check()?;
            let mesh = match target {
                TetTarget::Edge(edge) => {
                    box_tets(size, checked_box_cells(size, edge)?, CellStyle::Kuhn)
                }
                TetTarget::Nodes(nodes) => box_with_about(size, nodes),
            };
            if meshes
                .last()
                .is_none_or(|m| mesh.nodes.len() > m.nodes.len())
            {
                meshes.push(Arc::new(mesh));
            }
        }
        return Ok(meshes);
    }
    let mut built = match tets_of_file(setup) {
        Some(given) => {
            notes.push(format!(
                "the {} tetrahedra of the file are the finest level as they are",
                given.tets.len()
            ));
            build_given(given, &setup.geometry.skin, &targets, &Stuffing, progress)?.levels
        }
        None => {
            if let Some(tets) = &setup.tets {
                notes.push(format!(
                    "the levels are built from the boundary of the file's {} nodes, because the scene asks for other levels, or because the file has more than {MAX_FILE_NODES} nodes",
                    tets.nodes.len()
                ));
            }
            build_targets(&setup.geometry.skin, &targets, &Stuffing, progress)?.levels
        }
    };
    if is_imported(setup) {
        require_fit(&setup.geometry.skin, &built)?;
    }
    // levels that the scene asks for are built or refused, never left out
    if has_default_levels(setup) {
        remove_swollen_levels(&mut built, notes);
    }
    for (index, level) in built.iter().enumerate() {
        note_fit(level, &format!("level {index}"), notes);
    }
    // all levels have the mass of the finest
    if let Some(finest) = built.last() {
        let remedy = "a finer last level: adaptive.nodes or target_edges";
        note_mass(setup, finest, remedy, notes);
    }
    Ok(built
        .into_iter()
        .map(|level| Arc::new(level.mesh))
        .collect())
}

/// Number of cells of a box along each axis for this `edge` (m); an error where the level would have too many nodes.
fn checked_box_cells(size: Vec3, edge: f64) -> Result<[usize; 3], MeshingError> {
    let nodes = |edge: f64| {
        let nodes_along = box_cells(size, edge).map(|cells| cells as f64 + 1.0);
        nodes_along.iter().product::<f64>()
    };
    let limit = MAX_BOX_NODES as f64;
    if nodes(edge) <= limit {
        return Ok(box_cells(size, edge));
    }
    // a tenth of a subnormal number rounds to nothing
    let mut fitting = edge.max(f64::MIN_POSITIVE);
    while nodes(fitting) > limit {
        fitting *= 1.1;
    }
    Err(MeshingError::GridTooLarge {
        sites: nodes(edge) as u64,
        limit: MAX_BOX_NODES,
        min_cell: fitting,
    })
}

/// Nodes of the tetrahedra that a lattice is fitted to.
pub(super) const FITTING_NODES: usize = 2000;

/// The tetrahedra that a lattice is fitted to. None for a body that nothing holds, which cannot be fitted, and where meshing fails.
pub(super) fn fitting_level(
    setup: &Setup,
    progress: &Progress,
) -> Result<Option<Arc<TetMesh>>, MeshingError> {
    if setup.geometry.supports.is_empty() || setup.description.body.lattice.uncalibrated {
        return Ok(None);
    }
    if let Some(size) = setup.box_size {
        return Ok(Some(Arc::new(box_with_about(size, FITTING_NODES))));
    }
    let target = [TetTarget::Nodes(FITTING_NODES)];
    let built = build_targets(&setup.geometry.skin, &target, &Stuffing, progress);
    match built {
        Ok(sequence) => Ok(sequence
            .levels
            .into_iter()
            .next_back()
            .map(|level| Arc::new(level.mesh))),
        Err(MeshingError::Cancelled(cancelled)) => Err(cancelled.into()),
        // the lattice itself needs no tetrahedra
        Err(_) => Ok(None),
    }
}
