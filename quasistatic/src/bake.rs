//! From the geometry of a body to its Green's functions.

use pliant_core::asset::{AssetKey, BodyGeometry, KeyHasher, Progress};
use pliant_core::scene::Selection;

use crate::asset::GreensAsset;
use crate::error::BakeError;
use crate::format::VERSION;
use crate::greens::columns::BakeTask;
use crate::greens::elements::ElementColumns;
use crate::greens::from_bem::{from_bem, from_constant};
use crate::greens::from_fem::from_fem;
use crate::greens::support::{BoundaryColumns, HeldNodes};
use crate::greens::{BakeControl, GreensFunctions, Published, SkinRows, StageTimes};
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
    let mut rows = SkinRows::new(&geometry.skin, &boundary, &columns)?;
    progress.check()?;
    let mut elements = None;
    if params.generator == Generator::BemConstant {
        let found = ElementColumns::new(&boundary.surface, &columns, geometry)?;
        rows = found.rows(&geometry.skin, &boundary);
        elements = Some(found);
    }
    let mut notes = Vec::new();
    notes.extend(rows.note(geometry.skin.bounds().diagonal()));
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
        opened: &|greens| {
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

/// The key of everything that [`bake`] depends on.
pub fn key(geometry: &BodyGeometry, params: &QuasistaticParams) -> AssetKey {
    let mut hasher = KeyHasher::new("quasistatic", VERSION);
    hasher.positions("skin positions", &geometry.skin.positions);
    let corners = geometry.skin.triangles.iter().flatten();
    hasher.indices("skin triangles", corners.copied());
    for group in &geometry.skin.groups {
        hasher.bytes("group", group.name.as_bytes());
        hasher.indices("group vertices", group.vertices.iter().copied());
    }
    if let Some(mesh) = &geometry.greens_level {
        hasher.positions("nodes", &mesh.nodes);
        hasher.indices("tets", mesh.tets.iter().flatten().copied());
    }
    let material = &geometry.material;
    let elastic = material.elastic;
    hasher.numbers(
        "material",
        &[elastic.young, elastic.poisson, material.density],
    );
    for support in &geometry.supports {
        hasher.bytes("support", support.name.as_bytes());
        selection_key(&support.selection, &mut hasher);
        hasher.indices("support vertices", support.skin_vertices.iter().copied());
    }
    params.hash(&mut hasher);
    hasher.finish()
}

/// Adds a selection.
pub(crate) fn selection_key(selection: &Selection, hasher: &mut KeyHasher) {
    match selection {
        Selection::Box { min, max } => {
            hasher.numbers("box min", min);
            hasher.numbers("box max", max);
        }
        Selection::Sphere { center, radius } => {
            hasher.numbers("sphere centre", center);
            hasher.numbers("sphere radius", &[*radius]);
        }
        Selection::HalfSpace { point, normal } => {
            hasher.numbers("half space point", point);
            hasher.numbers("half space normal", normal);
        }
        Selection::List(vertices) => hasher.indices("list", vertices.iter().copied()),
        Selection::Group(name) => hasher.bytes("group name", name.as_bytes()),
        Selection::Lowest(share) => hasher.numbers("lowest", &[*share]),
    }
}
