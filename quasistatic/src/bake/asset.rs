//! From the geometry of a body to its Green's functions.

use pliant_core::asset::{BodyGeometry, Progress};

use crate::asset::GreensAsset;
use crate::bake::column_tasks::BakeTask;
use crate::bake::control::{BakeControl, Published};
use crate::bake::embedding::{distance_note, embed_skin};
use crate::bake::from_bem::{ElementColumns, from_bem, from_constant};
use crate::bake::from_fem::from_fem;
use crate::bake::greens_functions::GreensFunctions;
use crate::bake::held_nodes::{BoundaryColumns, HeldNodes};
use crate::bake::key::key;
use crate::bake::stage_times::StageTimes;
use crate::error::BakeError;
use crate::params::{Generator, QuasistaticParams};

/// Computes the Green's functions of the boundary of `geometry.greens_level` and attaches the skin to it.
///
/// Takes seconds: a factorisation and three solutions for each boundary node. Reports stage and fraction in `progress`. The
/// result is the same to the last bit for any number of threads.
///
/// # Errors
/// See [`BakeError`].
pub fn bake(
    geometry: &BodyGeometry,
    params: &QuasistaticParams,
    progress: &Progress,
) -> Result<GreensAsset, BakeError> {
    bake_timed(geometry, params, progress).map(|(asset, _)| asset)
}

/// As [`bake`], with the wall time of its stages.
///
/// # Errors
/// See [`BakeError`].
pub fn bake_timed(
    geometry: &BodyGeometry,
    params: &QuasistaticParams,
    progress: &Progress,
) -> Result<(GreensAsset, StageTimes), BakeError> {
    bake_controlled(geometry, params, &BakeControl::new(progress))
}

/// As [`bake_timed`], resumable, with columns published as they finish and wanted ones first.
///
/// The asset has the same bits whatever was resumed, wanted or published.
///
/// # Errors
/// See [`BakeError`].
pub fn bake_controlled(
    geometry: &BodyGeometry,
    params: &QuasistaticParams,
    control: &BakeControl<'_>,
) -> Result<(GreensAsset, StageTimes), BakeError> {
    let progress = control.progress;
    let mesh = geometry
        .greens_level
        .as_deref()
        .ok_or(BakeError::NoGreensLevel)?;
    if geometry.supports.is_empty() {
        return Err(BakeError::Unconstrained);
    }
    progress.stage("attaching the skin");
    let boundary = mesh.boundary();
    let held = HeldNodes::new(mesh, geometry)?;
    let columns = BoundaryColumns::new(&boundary, &held);
    let mut rows = embed_skin(&geometry.skin, &boundary, &columns)?;
    progress.check()?;
    let mut elements = None;
    if params.generator == Generator::BemConstant {
        let found = ElementColumns::new(&boundary.surface, &columns, geometry)?;
        rows = found.rows(&geometry.skin, &boundary);
        elements = Some(found);
    }
    let mut notes = Vec::new();
    notes.extend(distance_note(&rows, geometry.skin.bounds().diagonal()));
    if held.loose_parts > 0 {
        notes.push(format!(
            "{} parts of the body have no support and stay at rest",
            held.loose_parts
        ));
    }
    let asset_of = |greens: GreensFunctions| GreensAsset {
        skin: geometry.skin.clone(),
        material: geometry.material,
        matrix: greens.matrix,
        gravity: greens.gravity,
        supports: greens.supports,
        inside: greens.inside,
        releasable: greens.releasable,
        rows: rows.clone(),
        unknowns: greens.unknowns,
        notes: notes.clone(),
    };
    let task = BakeTask {
        control: *control,
        key: key(geometry, params),
        publish_asset: &|greens| {
            if let Some(publish) = control.publish {
                publish(Published::Asset(Box::new(asset_of(greens))));
            }
        },
    };
    let greens = match (params.generator, &elements) {
        (Generator::Fem, _) => from_fem(geometry, mesh, &held, &columns, params, &task)?,
        (_, Some(elements)) => from_constant(geometry, &boundary, elements, params, &task)?,
        (_, None) => from_bem(geometry, &boundary, &columns, params, &task)?,
    };
    let times = greens.times;
    Ok((asset_of(greens), times))
}
