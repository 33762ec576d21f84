//! Computes a reference, or takes it from the cache.

use std::sync::Arc;

use pliant_core::asset::Progress;
use web_time::Instant;

use super::firm_force::FirmForce;
use super::levels::reference_nodes;
use super::result::Reference;
use super::runs::{LevelRuns, refused};
use crate::cache::AssetCache;
use crate::error::BuildError;
use crate::setup::Setup;

/// Computes the reference of `frames` frames of a scene, or takes it from the cache. Skins are kept in the frames for which `keeps_surface` holds.
///
/// Cost: with 12,000 nodes ten to sixty seconds for four simulated ones, on two cores. It grows with the power 4/3 of the nodes.
///
/// # Errors
/// [`BuildError::NotApplicable`] for several bodies, for bodies that touch themselves or are cut, and where finite elements cannot run the scene or fail in it;
/// [`BuildError::Cancelled`].
pub fn reference(
    setup: &Arc<Setup>,
    frames: usize,
    keeps_surface: &dyn Fn(usize) -> bool,
    cache: &AssetCache,
    progress: &Progress,
) -> Result<Reference, BuildError> {
    let nodes = reference_nodes(setup);
    reference_on(setup, &nodes, frames, keeps_surface, cache, progress)
}

/// As [`reference()`], on levels with so many nodes, coarse to fine; the last two are run.
///
/// # Errors
/// As [`reference()`].
pub fn reference_on(
    setup: &Arc<Setup>,
    nodes: &[usize],
    frames: usize,
    keeps_surface: &dyn Fn(usize) -> bool,
    cache: &AssetCache,
    progress: &Progress,
) -> Result<Reference, BuildError> {
    let started = Instant::now();
    if setup.is_group() {
        return Err(refused(
            "ReferenceOfSeveralBodies",
            "a reference is computed for a lone body that does not touch itself\n  remedy: compare without a reference",
        ));
    }
    if setup.description.blades().next().is_some() {
        return Err(refused(
            "ReferenceOfACutBody",
            "a reference is computed for a body that stays whole, and this scene has a blade\n  remedy: compare without a reference",
        ));
    }
    if setup.description.body.fracture.breaks() {
        return Err(refused(
            "ReferenceOfABreakingBody",
            "a reference is computed for a body that stays whole, and the material of this one has a strength or a toughness\n  remedy: compare without a reference",
        ));
    }
    let mut runs = LevelRuns::new(setup, nodes, frames, keeps_surface, cache, progress);
    let from_cache = runs.stored(1).is_some() && runs.stored(0).is_some();
    let (coarse, fine) = (runs.run(1)?, runs.run(0)?);
    let mut notes = remarks(setup);
    notes.append(&mut runs.notes);
    Ok(Reference {
        firm: FirmForce::find(&fine, &coarse, &moving(setup)),
        fine,
        coarse,
        causes: Vec::new(),
        seconds: started.elapsed().as_secs_f64(),
        from_cache,
        notes,
    })
}

/// For each tool, then for each grab, whether it moves. What stands still feels weight and supports, not the touch that is judged.
fn moving(setup: &Setup) -> Vec<bool> {
    let paths = setup.tools.iter().map(|t| &t.path);
    let paths = paths.chain(setup.grabs.iter().map(|g| &g.path));
    paths.map(|path| path.duration() > 0.0).collect()
}

/// What the scene has that the reference does not know.
pub(crate) fn remarks(setup: &Setup) -> Vec<String> {
    let body = &setup.description.body;
    let (lattice, quasistatic) = (&body.lattice, &body.quasistatic);
    let unknown = [
        (!lattice.stiffness.is_empty(), "lattice.stiffness"),
        (!lattice.bones.is_empty(), "lattice.bones"),
        (lattice.toughness.is_some(), "lattice.toughness"),
        (!quasistatic.stiffness.is_empty(), "quasistatic.stiffness"),
        (quasistatic.fibres.is_some(), "quasistatic.fibres"),
    ];
    let told = unknown.iter().filter(|(is_set, _)| *is_set);
    told.map(|(_, key)| {
        format!("the reference is a whole body of one material: it does not know {key}")
    })
    .collect()
}
