//! Green's functions on a boundary with subdivision connectivity, compressed by wavelets.

use std::time::Instant;

use pliant_core::asset::Progress;
use pliant_core::scene::{Method, WaveletChoice, WaveletDescription};
use pliant_quasistatic::bake::{
    BakeControl, ColumnJournal, bake_on_surface, free_vertices, surface_key,
};
use pliant_quasistatic::compression::transform::{TransformSpec, WaveletBasis};
use pliant_quasistatic::compression::wavelet::{CompressionReport, WaveletMatrix};
use pliant_quasistatic::greens::wavelets::{SubdividedBoundary, Threshold, WaveletSpec};
use pliant_quasistatic::params::Generator;
use pliant_quasistatic::{GreensAsset, QuasistaticParams};

use super::baked::BakedGreens;
use super::subdivided_surface::SubdividedSurface;
use crate::build::geometry::available;
use crate::build::job::Job;
use crate::cache::AssetCache;
use crate::error::BuildError;
use crate::parameters::quasistatic_params;
use crate::setup::Setup;

/// Memory of dense columns while boundary elements make them, bytes for each pair of vertices.
const BYTES_PER_PAIR: u64 = 160;

/// Green's functions as they were baked, and compressed.
pub struct CompressedGreens {
    /// The dense columns.
    pub baked: BakedGreens,
    /// The same body with compressed columns.
    pub compressed: GreensAsset,
    /// What was kept, and the error.
    pub report: CompressionReport,
    /// Wall time of transform and threshold, s.
    pub transform_s: f64,
    /// Triangles of the base mesh.
    pub base_triangles: usize,
    /// How the boundary came about, for the user.
    pub boundary_note: String,
}

/// Bakes by boundary elements and compresses. The boundary is the skin where that has subdivision connectivity, else a semi-regular remesh of it.
///
/// # Errors
/// As [`build_method`](crate::build::build_method).
pub fn compressed_greens(
    setup: &Setup,
    spec: &WaveletSpec,
    journal: Option<&dyn ColumnJournal>,
    progress: &Progress,
) -> Result<CompressedGreens, BuildError> {
    let cache = AssetCache::disabled();
    let job = Job::new(setup, Method::Quasistatic, &cache, progress);
    job.require_support()?;
    progress.stage("finding subdivision levels");
    let boundary = SubdividedSurface::of(&job)?;
    let params = boundary_params(setup, &boundary);
    let control = BakeControl {
        journal,
        ..BakeControl::new(progress)
    };
    let geometry = &setup.geometry;
    let baked = bake_on_surface(geometry, &boundary.surface, &params, &control);
    let (asset, times) = baked.map_err(|e| job.refused(&e))?;
    let free = free_vertices(geometry, &boundary.surface).map_err(|e| job.refused(&e))?;
    progress.stage("compressing");
    let start = Instant::now();
    let subdivided = SubdividedBoundary {
        surface: &boundary.surface,
        hierarchy: &boundary.hierarchy,
        free: &free,
    };
    let compressed = asset.compressed(&subdivided, spec, progress);
    let (compressed, report) = compressed.map_err(|e| job.refused(&e))?;
    Ok(CompressedGreens {
        compressed,
        report,
        transform_s: start.elapsed().as_secs_f64(),
        base_triangles: boundary.hierarchy.triangles(0).len(),
        boundary_note: boundary.note,
        baked: BakedGreens {
            boundary_vertices: boundary.surface.vertex_count(),
            asset,
            times,
        },
    })
}

impl CompressedGreens {
    /// The compressed columns.
    pub fn wavelets(&self) -> Option<&WaveletMatrix> {
        self.compressed.matrix.wavelets()
    }
}

/// Boundary elements, for as many nodes as the boundary has.
fn boundary_params(setup: &Setup, boundary: &SubdividedSurface) -> QuasistaticParams {
    let mut params = quasistatic_params(setup);
    if params.generator == Generator::Fem {
        params.generator = Generator::BemLinear;
    }
    let vertices = boundary.surface.vertex_count();
    // a remesh may need more vertices than were asked for
    let most = (available() / BYTES_PER_PAIR).isqrt() as usize;
    params.max_boundary_nodes = params.max_boundary_nodes.max(vertices.min(most));
    params
}

impl Job<'_> {
    /// Columns that the scene wants compressed, and whether the dense ones came from the cache.
    pub(super) fn compressed(
        &self,
        wanted: &WaveletDescription,
        notes: &mut Vec<String>,
    ) -> Result<(GreensAsset, bool), BuildError> {
        let boundary = SubdividedSurface::of(self)?;
        let params = boundary_params(self.setup, &boundary);
        let (geometry, progress) = (&self.setup.geometry, self.progress);
        let key = self.key(surface_key(geometry, &boundary.surface, &params));
        let (asset, from_cache) = match self.mapped(key, notes) {
            Some(asset) => (asset, true),
            None => {
                let control = BakeControl::new(progress);
                let baked = bake_on_surface(geometry, &boundary.surface, &params, &control);
                let (asset, _) = baked.map_err(|e| self.refused(&e))?;
                let made = vec![boundary.note.clone()];
                self.keep(key, made, &asset.to_bytes(), notes);
                (asset, false)
            }
        };
        let free = free_vertices(geometry, &boundary.surface).map_err(|e| self.refused(&e))?;
        progress.stage("compressing");
        let subdivided = SubdividedBoundary {
            surface: &boundary.surface,
            hierarchy: &boundary.hierarchy,
            free: &free,
        };
        let spec = WaveletSpec {
            transform: TransformSpec {
                basis: match wanted.basis {
                    WaveletChoice::Linear => WaveletBasis::Linear,
                    WaveletChoice::Butterfly => WaveletBasis::Butterfly,
                    WaveletChoice::ModifiedButterfly => WaveletBasis::ModifiedButterfly,
                },
                ..TransformSpec::default()
            },
            threshold: Threshold::Epsilon(wanted.threshold),
            near_field: (wanted.near_field > 0.0).then_some(wanted.near_field),
        };
        let compressed = asset.compressed(&subdivided, &spec, progress);
        let (asset, report) = compressed.map_err(|e| self.refused(&e))?;
        notes.push(format!(
            "columns compressed {:.1} times by wavelets, {:.2} MB; error {:.2} %",
            report.compression,
            asset.matrix.bytes() as f64 / 1e6,
            100.0 * report.rms_error
        ));
        Ok((asset, from_cache))
    }
}
