//! Computes a reference, or takes it from the cache.

use std::sync::Arc;

use pliant_core::asset::Progress;
use web_time::Instant;

use super::kind::ReferenceKind;
use super::reference_force::ReferenceForce;
use super::result::Reference;
use super::runs::{LevelRuns, Span, check, reference_nodes};
use crate::build::geometry::DEFAULT_NODES;
use crate::cache::AssetCache;
use crate::error::BuildError;
use crate::setup::Setup;

/// Computes the reference of a span of frames of a scene, or takes it from the cache. Skins are kept as [`Setup::keeps_surface`] says, and none where a hand touches the body.
///
/// Cost: with 12,000 nodes, a dynamic one takes up to a minute of one core for two simulated seconds of the three scans that were measured. It grows with the power 4/3 of the nodes.
/// A static one takes longer, because each frame is stepped until the body is at rest. A linear one has to factorise the stiffness of both levels, and needs three solutions for each
/// vertex that is touched for the first time.
///
/// # Errors
/// [`BuildError::NotApplicable`] for several bodies, for bodies that touch themselves or are cut, and where finite elements cannot run the scene or fail in it; also where a static or
/// linear reference has no support, a linear one has a grab or a sticky tool, or its stiffness cannot be factorised; [`BuildError::Cancelled`].
pub fn reference(
    kind: ReferenceKind,
    setup: &Arc<Setup>,
    span: &Span,
    cache: &AssetCache,
    progress: &Progress,
) -> Result<Reference, BuildError> {
    let (nodes, keeps) = (reference_nodes(kind, setup), kept_surfaces(setup, span));
    let runs = LevelRuns::new(kind, setup, &nodes, span, &keeps, cache, progress);
    computed(setup, runs, span, Some(1))
}

/// An estimate of the reference: one run in a hurry, on the finest of the levels that the adaptive method has where the scene names none. It has about 3,000 nodes.
///
/// Cost: a dynamic one takes two to nine seconds of one core for two simulated ones on the bodies that were measured, most where walls are thin.
/// Where the levels are not in the cache, their bake takes longer than that.
///
/// # Errors
/// As [`reference()`].
pub fn estimate(
    kind: ReferenceKind,
    setup: &Arc<Setup>,
    span: &Span,
    cache: &AssetCache,
    progress: &Progress,
) -> Result<Reference, BuildError> {
    let keeps = kept_surfaces(setup, span);
    let nodes = &DEFAULT_NODES;
    let runs = LevelRuns::new(kind, setup, nodes, span, &keeps, cache, progress);
    computed(setup, runs.with_estimate_mass_scaling(), span, None)
}

/// In which frames of a span skins are kept.
fn kept_surfaces<'a>(setup: &'a Setup, span: &'a Span) -> impl Fn(usize) -> bool + 'a {
    move |frame| !span.is_touched() && setup.keeps_surface(frame, span.frames)
}

/// The dynamic [`reference()`] on levels with so many nodes, coarse to fine; the last two are run. Skins are kept in the frames of the span (from 0) for which `keeps_surface` holds.
///
/// # Errors
/// As [`reference()`].
pub fn reference_on(
    setup: &Arc<Setup>,
    nodes: &[usize],
    span: &Span,
    keeps_surface: &dyn Fn(usize) -> bool,
    cache: &AssetCache,
    progress: &Progress,
) -> Result<Reference, BuildError> {
    let dynamic = ReferenceKind::Dynamic;
    let runs = LevelRuns::new(dynamic, setup, nodes, span, keeps_surface, cache, progress);
    computed(setup, runs, span, Some(1))
}

/// The run on the finest level, and one on a level so many levels `coarser` if that is given.
fn computed(
    setup: &Setup,
    mut runs: LevelRuns<'_>,
    span: &Span,
    coarser: Option<usize>,
) -> Result<Reference, BuildError> {
    let started = Instant::now();
    check(runs.kind, setup, span)?;
    let from_cache = runs.stored(0).is_some() && coarser.is_none_or(|k| runs.stored(k).is_some());
    let coarse = coarser.map(|k| runs.run(k)).transpose()?;
    let fine = runs.run(0)?;
    let mut notes = ignored_key_notes(setup);
    notes.append(&mut runs.notes);
    let compared_curves = span.compared_curves(setup);
    Ok(Reference {
        force: ReferenceForce::find(&fine, coarse.as_ref(), &compared_curves, span.lead),
        kind: runs.kind,
        fine,
        coarse,
        causes: Vec::new(),
        seconds: started.elapsed().as_secs_f64(),
        from_cache,
        notes,
    })
}

/// Notes on what the scene has and the reference ignores.
pub(crate) fn ignored_key_notes(setup: &Setup) -> Vec<String> {
    let body = &setup.description.body;
    let (lattice, quasistatic) = (&body.lattice, &body.quasistatic);
    let ignored = [
        (!lattice.stiffness.is_empty(), "lattice.stiffness"),
        (!lattice.bones.is_empty(), "lattice.bones"),
        (lattice.toughness.is_some(), "lattice.toughness"),
        (!quasistatic.stiffness.is_empty(), "quasistatic.stiffness"),
        (quasistatic.fibres.is_some(), "quasistatic.fibres"),
    ];
    let set_keys = ignored.iter().filter(|(is_set, _)| *is_set);
    set_keys
        .map(|(_, key)| {
            format!("the reference is an intact body of one material: it ignores {key}")
        })
        .collect()
}
