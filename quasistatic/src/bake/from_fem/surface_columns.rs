//! Green's functions of a surface in the boundary of finite elements, compressed as they are solved.
//!
//! The compliance between vertices of the surface is `E K⁻¹ Eᵀ`, with the shape functions `E` of the vertices in the elements. The elements determine its accuracy, and the
//! surface determines where it can be touched. Dense columns are never stored, so that the surface may have ten thousand vertices.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use faer::Mat;
use pliant_compression::wavelet::{CompressionReport, Fill};
use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::mesh::TetMesh;
use pliant_core::stage_timer::StageTimer;
use pliant_statics::{SolveMemory, SparseCholesky};

use super::assembled_body::AssembledBody;
use super::columns::gravity_columns;
use super::support_solve::SupportSolve;
use super::surface_weights::SurfaceWeights;
use crate::asset::GreensAsset;
use crate::bake::held_nodes::HeldNodes;
use crate::bake::stage_times::StageTimes;
use crate::error::BakeError;
use crate::greens::GreensMatrix;
use crate::greens::wavelets::{SubdividedBoundary, WaveletSpec, compress_columns, compress_hats};
use crate::params::QuasistaticParams;

/// Vertices whose columns are solved together.
const VERTICES_AT_ONCE: usize = 32;
/// Compliance that is added for each vertex under its own force, over that of a patch of its area on a half-space. It keeps vertices that share an element independent.
const SELF_COMPLIANCE_SHARE: f64 = 0.01;

/// A body, the surface that it is touched at, and how its columns are compressed.
pub(crate) struct SurfaceBake<'a> {
    pub geometry: &'a BodyGeometry,
    pub mesh: &'a TetMesh,
    pub held: &'a HeldNodes,
    pub boundary: &'a SubdividedBoundary<'a>,
    pub params: &'a QuasistaticParams,
    pub spec: &'a WaveletSpec,
    /// Whether the columns of hats of all coarser levels are solved, too, for their report.
    pub hats: bool,
    pub progress: &'a Progress,
}

/// Computes the Green's functions of the free vertices of a surface, compressed by wavelets, for `body`, which has its skin.
///
/// Also returns a report for each level of columns, coarse first; the last one is that of the vertices.
///
/// Cost: a sparse factorisation, three pairs of triangular solutions for each vertex, and two transforms of each column. The same bits for any number of threads.
///
/// # Errors
/// See [`BakeError`]; [`BakeError::ReleasableByWavelets`] where supports are to be kept releasable.
pub(crate) fn surface_from_fem(
    bake: &SurfaceBake<'_>,
    body: GreensAsset,
) -> Result<(GreensAsset, Vec<CompressionReport>, StageTimes), BakeError> {
    let SurfaceBake {
        geometry,
        mesh,
        held,
        boundary,
        params,
        progress,
        ..
    } = *bake;
    if !params.releasable.is_empty() {
        return Err(BakeError::ReleasableByWavelets);
    }
    let mut times = StageTimes::default();
    let mut timer = StageTimer::start();
    progress.stage("assembling the stiffness");
    let AssembledBody { elasticity, system } = &AssembledBody::new(geometry, mesh, held, params)?;
    times.assemble = timer.stage().as_secs_f64();
    progress.check()?;

    progress.stage("factorising the stiffness");
    let pattern = system.dissected(&[]).map_err(|e| system.bake_error(e))?;
    progress.check()?;
    let factor = pattern
        .factor(&system.stiffness)
        .map_err(|e| system.bake_error(e))?;
    times.factor = timer.stage().as_secs_f64();
    progress.check()?;

    progress.stage("solving for the Green's functions");
    let is_free = |v: usize| boundary.free[v];
    let weights = SurfaceWeights::new(boundary.surface, is_free, mesh, system, held);
    let young = geometry.material.elastic.young;
    let areas = boundary.free_areas();
    let columns = SurfaceColumns {
        factor: &factor,
        unknowns: system.stiffness.size(),
        weights: &weights,
        self_compliance: areas
            .iter()
            .map(|area| SELF_COMPLIANCE_SHARE / (young * area.sqrt()))
            .collect(),
        areas,
        memory: Mutex::default(),
    };
    let of_vertex = |vertex: usize| vec![(vertex as u32, 1.0)];
    let fill = |range: Range<usize>, out: &mut [f64]| {
        let loads: Vec<_> = range.map(of_vertex).collect();
        columns.write(&loads, out);
    };
    let fill = Fill::Several {
        max_columns: VERTICES_AT_ONCE,
        fill: &fill,
    };
    let (matrix, report) = compress_columns(fill, boundary, bake.spec, progress)?;
    let mut reports = match bake.hats {
        true => columns.hat_reports(boundary, bake.spec, progress)?,
        false => Vec::new(),
    };
    times.columns = timer.stage().as_secs_f64();
    times.compression_error = [report.rms_error, report.max_error];

    let masses = system.elements.masses(geometry.material.density);
    let all: Vec<usize> = (0..system.free.len()).collect();
    let reactions = SupportSolve {
        geometry,
        mesh,
        held,
        elasticity,
        system,
        factor: &factor,
    };
    let gravity = gravity_columns(system, &factor, &all, &masses);
    let mut supports = reactions.rows(&all, &masses);
    for (k, support) in supports.iter_mut().enumerate() {
        support.reactions = weights.reactions(k as u32, &support.reactions);
    }
    let mut inside = reactions.inside(&params.inside, &all, &masses)?;
    for point in &mut inside {
        weights.interpolate_point(point);
    }
    let columns = boundary.columns(matrix, report.epsilon, bake.spec);
    reports.push(report);
    let asset = GreensAsset {
        matrix: GreensMatrix::compressed(columns.into()),
        gravity: weights.interpolate(|i| gravity[i]),
        supports,
        inside,
        unknowns: system.stiffness.size(),
        ..body
    };
    Ok((asset, reports, times))
}

/// Columns of the vertices of a surface.
struct SurfaceColumns<'a> {
    factor: &'a SparseCholesky<'a>,
    unknowns: usize,
    weights: &'a SurfaceWeights,
    /// Compliance that is added for each vertex under its own force, m/N.
    self_compliance: Vec<f64>,
    /// Area of each vertex, m².
    areas: Vec<f64>,
    /// Memory for solutions, one for each working thread.
    memory: Mutex<Vec<SolveMemory>>,
}

impl SurfaceColumns<'_> {
    /// Compression reports of the columns of unit tractions on the hats of each level.
    fn hat_reports(
        &self,
        boundary: &SubdividedBoundary<'_>,
        spec: &WaveletSpec,
        progress: &Progress,
    ) -> Result<Vec<CompressionReport>, BakeError> {
        let fill = |hats: &[Vec<(u32, f64)>], out: &mut [f64]| {
            let forces = |hat: &Vec<(u32, f64)>| {
                let parts = hat.iter();
                parts
                    .map(|&(j, h)| (j, h * self.areas[j as usize]))
                    .collect()
            };
            let loads: Vec<_> = hats.iter().map(forces).collect();
            self.write(&loads, out);
        };
        let mut reports = Vec::new();
        for level in 0..boundary.hierarchy.finest() {
            progress.stage(&format!("solving for hats of level {level}"));
            let compressed =
                compress_hats::<f32>(&fill, VERTICES_AT_ONCE, level, boundary, spec, progress);
            reports.push(compressed?.1);
        }
        Ok(reports)
    }

    /// Displacements (m) of all vertices under each of `loads`, forces on vertices along each axis: nine numbers a vertex, axis by axis, one load after the other.
    fn write(&self, loads: &[Vec<(u32, f64)>], out: &mut [f64]) {
        let lock = || self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        let reused = lock().pop();
        let mut memory = reused.unwrap_or_else(|| self.factor.solve_memory(3 * VERTICES_AT_ONCE));
        let mut x = Mat::<f64>::zeros(self.unknowns, 3 * loads.len());
        for (k, load) in loads.iter().enumerate() {
            for &(vertex, force) in load {
                for &(node, weight) in self.weights.free(vertex as usize) {
                    for axis in 0..3 {
                        x[(3 * node as usize + axis, 3 * k + axis)] += weight * force;
                    }
                }
            }
        }
        self.factor.solve(&mut x, &mut memory);
        lock().push(memory);
        out.fill(0.0);
        let height = 9 * self.weights.len();
        for ((k, load), out) in loads.iter().enumerate().zip(out.chunks_exact_mut(height)) {
            for (vertex, block) in out.as_chunks_mut::<9>().0.iter_mut().enumerate() {
                for &(node, weight) in self.weights.free(vertex) {
                    for axis in 0..3 {
                        for row in 0..3 {
                            block[3 * axis + row] +=
                                weight * x[(3 * node as usize + row, 3 * k + axis)];
                        }
                    }
                }
            }
            for &(vertex, force) in load {
                for axis in 0..3 {
                    out[9 * vertex as usize + 4 * axis] +=
                        self.self_compliance[vertex as usize] * force;
                }
            }
        }
    }
}
