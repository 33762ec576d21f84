//! From the geometry of a body to its Green's functions.

use pliant_compression::hierarchical_matrix::{
    HierarchicalMatrix, HierarchicalReport, HierarchicalSpec,
};
use pliant_compression::wavelet::CompressionReport;
use pliant_core::asset::{AssetKey, BodyGeometry, Progress};
use pliant_core::math::Vec3;
use pliant_core::mesh::tet::TetBoundary;
use pliant_core::mesh::{QuadraticTetMesh, SurfaceMesh, TetMesh};
use pliant_core::stage_timer::StageTimer;

use crate::asset::GreensAsset;
use crate::bake::column_tasks::BakeTask;
use crate::bake::control::BakeControl;
use crate::bake::embedding::{distance_note, embed_skin};
use crate::bake::from_bem::{ElementColumns, from_bem, from_constant};
use crate::bake::from_fem::{SurfaceBake, from_fem, surface_from_fem};
use crate::bake::held_nodes::{BoundaryColumns, HeldNodes};
use crate::bake::key::{key, surface_key};
use crate::bake::limits::too_many_columns;
use crate::bake::stage_times::StageTimes;
use crate::error::BakeError;
use crate::greens::skin_rows::NOT_FREE;
use crate::greens::wavelets::{SubdividedBoundary, WaveletSpec};
use crate::greens::{GreensMatrix, SkinRows};
use crate::params::{Generator, GreensElements, QuasistaticParams};

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
    let (asset, _) = bake_controlled(geometry, params, &BakeControl::new(progress))?;
    Ok(asset)
}

/// As [`bake`], with the wall time of its stages. It can be resumed, publishes columns as they finish, and solves requested columns first.
///
/// The bits of the asset do not depend on what was resumed, requested or published.
///
/// # Errors
/// See [`BakeError`].
pub fn bake_controlled(
    geometry: &BodyGeometry,
    params: &QuasistaticParams,
    control: &BakeControl<'_>,
) -> Result<(GreensAsset, StageTimes), BakeError> {
    let mesh = supported_mesh(geometry)?;
    let held = held_nodes(mesh, geometry, params)?;
    let body = BakedBody {
        geometry,
        boundary: mesh.boundary(),
        tetrahedra: Some(mesh),
        held,
        key: key(geometry, params),
    };
    body.bake(params, control)
}

/// As [`bake_controlled`], on a closed surface instead of the boundary of `geometry.greens_level`: boundary elements need no tetrahedra.
///
/// The free boundary nodes are the vertices of `surface` that no support holds, in their order.
///
/// # Errors
/// See [`BakeError`]; [`BakeError::NoGreensLevel`] for finite elements.
pub fn bake_on_surface(
    geometry: &BodyGeometry,
    surface: &SurfaceMesh,
    params: &QuasistaticParams,
    control: &BakeControl<'_>,
) -> Result<(GreensAsset, StageTimes), BakeError> {
    if geometry.supports.is_empty() {
        return Err(BakeError::Unconstrained);
    }
    let body = BakedBody {
        geometry,
        boundary: surface_boundary(surface),
        tetrahedra: None,
        held: HeldNodes::of_surface(surface, geometry)?,
        key: surface_key(geometry, surface, params),
    };
    body.bake(params, control)
}

/// As [`bake_on_surface`] by finite elements in `geometry.greens_level`, with columns that are compressed as they are solved. Dense columns are never stored.
///
/// `boundary.free` is the result of [`free_vertices`] for its surface. The last report is that of the columns. With `hats`, reports of the columns of unit tractions on hats come
/// before it, coarsest level first.
///
/// # Errors
/// See [`BakeError`].
pub fn bake_compressed(
    geometry: &BodyGeometry,
    boundary: &SubdividedBoundary<'_>,
    params: &QuasistaticParams,
    spec: &WaveletSpec,
    hats: bool,
    progress: &Progress,
) -> Result<(GreensAsset, Vec<CompressionReport>, StageTimes), BakeError> {
    let mesh = supported_mesh(geometry)?;
    progress.stage("attaching the skin");
    let surface = surface_boundary(boundary.surface);
    let held = HeldNodes::of_surface(boundary.surface, geometry)?;
    let rows = embed_skin(
        &geometry.skin,
        &surface,
        &BoundaryColumns::new(&surface, &held),
    )?;
    progress.check()?;
    let held = held_nodes(mesh, geometry, params)?;
    let bake = SurfaceBake {
        geometry,
        mesh,
        held: &held,
        boundary,
        params,
        spec,
        hats,
        progress,
    };
    surface_from_fem(&bake, skinned_body(geometry, rows, params)?)
}

/// The tetrahedra of a body that a support holds.
fn supported_mesh(geometry: &BodyGeometry) -> Result<&TetMesh, BakeError> {
    let mesh = geometry.greens_level.as_deref();
    let mesh = mesh.ok_or(BakeError::NoGreensLevel)?;
    match geometry.supports.is_empty() {
        true => Err(BakeError::Unconstrained),
        false => Ok(mesh),
    }
}

/// A surface as a boundary without tetrahedra behind it.
fn surface_boundary(surface: &SurfaceMesh) -> TetBoundary {
    TetBoundary {
        surface: surface.clone(),
        node_of_vertex: (0..surface.vertex_count() as u32).collect(),
        tet_of_triangle: Vec::new(),
    }
}

/// The body with its skin, before its Green's functions.
fn skinned_body(
    geometry: &BodyGeometry,
    rows: SkinRows,
    params: &QuasistaticParams,
) -> Result<GreensAsset, BakeError> {
    let matrix = GreensMatrix::empty(0, params.precision);
    let note = distance_note(&rows, geometry.skin.bounds().diagonal());
    Ok(GreensAsset {
        skin: geometry.skin.clone(),
        material: geometry.material,
        matrix: matrix.ok_or_else(|| too_many_columns(0, params))?,
        gravity: Vec::new(),
        supports: Vec::new(),
        inside: Vec::new(),
        releasable: Vec::new(),
        rows,
        unknowns: 0,
        notes: note.into_iter().collect(),
    })
}

/// Whether each vertex of `surface` is a free boundary node of a bake on it.
///
/// # Errors
/// As [`bake_on_surface`].
pub fn free_vertices(
    geometry: &BodyGeometry,
    surface: &SurfaceMesh,
) -> Result<Vec<bool>, BakeError> {
    let held = HeldNodes::of_surface(surface, geometry)?;
    Ok((0..surface.vertex_count())
        .map(|v| held.is_free(v))
        .collect())
}

/// The held nodes: corners, and midside nodes of quadratic elements.
fn held_nodes(
    mesh: &TetMesh,
    geometry: &BodyGeometry,
    params: &QuasistaticParams,
) -> Result<HeldNodes, BakeError> {
    match (params.generator, params.elements) {
        (Generator::Fem, GreensElements::Quadratic) => {
            let quadratic = QuadraticTetMesh::new(mesh);
            HeldNodes::of_quadratic(&quadratic, mesh.mean_edge(), geometry)
        }
        _ => HeldNodes::new(mesh, geometry),
    }
}

/// A boundary with its supports, and the tetrahedra behind it where there are any.
struct BakedBody<'a> {
    geometry: &'a BodyGeometry,
    boundary: TetBoundary,
    tetrahedra: Option<&'a TetMesh>,
    held: HeldNodes,
    key: AssetKey,
}

impl BakedBody<'_> {
    fn bake(
        self,
        params: &QuasistaticParams,
        control: &BakeControl<'_>,
    ) -> Result<(GreensAsset, StageTimes), BakeError> {
        let Self {
            geometry,
            boundary,
            held,
            ..
        } = &self;
        let progress = control.progress;
        progress.stage("attaching the skin");
        let columns = BoundaryColumns::new(boundary, held);
        let mut rows = embed_skin(&geometry.skin, boundary, &columns)?;
        progress.check()?;
        let mut elements = None;
        if params.generator == Generator::BemConstant {
            let element_columns = ElementColumns::new(&boundary.surface, &columns, geometry)?;
            rows = element_columns.rows(&geometry.skin, boundary);
            elements = Some(element_columns);
        }
        let mut body = skinned_body(geometry, rows, params)?;
        if held.unsupported_parts > 0 {
            body.notes.push(match held.unsupported_parts {
                1 => "1 part of the body has no support and stays at rest".to_string(),
                parts => format!("{parts} parts of the body have no support and stay at rest"),
            });
        }
        let task = BakeTask {
            control: *control,
            key: self.key,
            body,
        };
        let (mut asset, mut times) = match (params.generator, &elements) {
            (Generator::Fem, _) => {
                let mesh = self.tetrahedra.ok_or(BakeError::NoGreensLevel)?;
                from_fem(geometry, mesh, held, &columns, params, &task)?
            }
            (_, Some(elements)) => from_constant(geometry, boundary, elements, params, &task)?,
            (_, None) => from_bem(geometry, boundary, &columns, params, &task)?,
        };
        if let Some(error) = params.hierarchical {
            progress.stage("compressing");
            let node_positions = self.node_positions(&columns, elements.as_ref());
            let mut timer = StageTimer::start();
            let report = compress(&mut asset, &node_positions, error, progress)?;
            times.compress = timer.stage().as_secs_f64();
            times.compression_error = [report.rms_error, report.max_error];
            asset.notes.push(compression_note(&report));
        }
        Ok((asset, times))
    }

    /// Position of each node of the matrix, m.
    fn node_positions(
        &self,
        columns: &BoundaryColumns,
        elements: Option<&ElementColumns>,
    ) -> Vec<Vec3> {
        let surface = &self.boundary.surface;
        let is_free = |column: &u32| *column != NOT_FREE;
        let Some(elements) = elements else {
            let vertices = columns.column_of_vertex.iter().zip(&surface.positions);
            return vertices
                .filter(|(c, _)| is_free(c))
                .map(|(_, x)| *x)
                .collect();
        };
        let triangles = elements.column_of_element.iter().enumerate();
        let center = |t: usize| surface.corners(t).iter().sum::<Vec3>() / 3.0;
        triangles
            .filter(|(_, c)| is_free(c))
            .map(|(t, _)| center(t))
            .collect()
    }
}

/// Replaces the columns of `asset` by a hierarchical matrix.
fn compress(
    asset: &mut GreensAsset,
    node_positions: &[Vec3],
    error: f64,
    progress: &Progress,
) -> Result<HierarchicalReport, BakeError> {
    let spec = HierarchicalSpec {
        rms_error: error,
        ..HierarchicalSpec::default()
    };
    let block = |i: usize, j: usize| asset.matrix.block(i, j);
    let (matrix, report) = HierarchicalMatrix::compress(node_positions, block, &spec, progress)?;
    asset.matrix = GreensMatrix::compressed(matrix.into());
    Ok(report)
}

fn compression_note(report: &HierarchicalReport) -> String {
    format!(
        "columns compressed {:.1} times as a hierarchical matrix, {:.2} MB; error {:.2} %, of the worst column {:.2} %",
        report.compression,
        report.bytes as f64 / 1e6,
        100.0 * report.rms_error,
        100.0 * report.column_rms_error
    )
}
