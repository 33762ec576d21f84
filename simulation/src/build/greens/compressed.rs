//! Green's functions on a boundary with subdivision connectivity, compressed by wavelets.

use pliant_core::asset::{KeyHasher, Progress};
use pliant_core::scene::{Method, WaveletDescription};
use pliant_quasistatic::bake::{
    BakeControl, ColumnJournal, StageTimes, bake_compressed, bake_on_surface, free_vertices, key,
};
use pliant_quasistatic::compression::transform::TransformSpec;
use pliant_quasistatic::compression::wavelet::{CompressionReport, WaveletMatrix};
use pliant_quasistatic::greens::wavelets::{SubdividedBoundary, Threshold, WaveletSpec};
use pliant_quasistatic::params::Generator;
use pliant_quasistatic::{GreensAsset, QuasistaticParams};
use web_time::Instant;

use super::subdivided_surface::SubdividedSurface;
use crate::build::geometry::{available_memory, geometry_behind_surface};
use crate::build::job::Job;
use crate::cache::AssetCache;
use crate::error::BuildError;
use crate::parameters::quasistatic_params;
use crate::setup::Setup;

/// Memory of dense columns while boundary elements make them, bytes for each pair of vertices.
const BYTES_PER_PAIR: u64 = 160;

/// Boundary nodes of the tetrahedra behind a surface: the smallest number, and the vertices of the surface for each node. Quadratic elements have three more for each.
const ELEMENTS_BEHIND: (usize, usize) = (1000, 4);

/// Compressed Green's functions, and how they were made.
pub struct CompressedGreens {
    /// The body with compressed columns.
    pub asset: GreensAsset,
    /// The same body with dense columns, where boundary elements made them.
    pub dense: Option<GreensAsset>,
    /// How much was kept, and the error.
    pub report: CompressionReport,
    /// The same of columns of tractions on the hats of coarser levels, coarsest first, where they were asked for.
    pub hats: Vec<CompressionReport>,
    /// Wall time of the stages of the bake.
    pub times: StageTimes,
    /// Wall time of transform and threshold, s; `None` where columns are compressed as they are solved.
    pub transform_s: Option<f64>,
    /// Number of boundary vertices, the held ones included.
    pub boundary_vertices: usize,
    /// Triangles of the base mesh.
    pub base_triangles: usize,
    /// How the boundary was made, for the user.
    pub boundary_note: String,
}

/// Bakes and compresses. The boundary is the skin where that has subdivision connectivity, else a semi-regular remesh of it. Finite elements are compressed as their
/// columns are solved; boundary elements make dense columns first, which `journal` keeps. With `hats` finite elements solve for the columns of coarser levels, too, for their
/// reports.
///
/// # Errors
/// As [`build_method`](crate::build::build_method).
pub fn compressed_greens(
    setup: &Setup,
    spec: &WaveletSpec,
    hats: bool,
    journal: Option<&dyn ColumnJournal>,
    progress: &Progress,
) -> Result<CompressedGreens, BuildError> {
    let cache = AssetCache::disabled();
    let job = Job::new(setup, Method::Quasistatic, &cache, progress);
    job.require_support()?;
    job.bake_compressed(spec, hats, journal, &mut Vec::new())
}

impl CompressedGreens {
    /// The compressed columns.
    pub fn wavelets(&self) -> Option<&WaveletMatrix> {
        self.asset.matrix.wavelets()
    }
}

impl Job<'_> {
    /// Columns that the scene wants compressed, and whether they came from the cache.
    pub(super) fn compressed(
        &self,
        description: &WaveletDescription,
        notes: &mut Vec<String>,
    ) -> Result<(GreensAsset, bool), BuildError> {
        let params = quasistatic_params(self.setup);
        let mut hasher = KeyHasher::new("wavelets", 3);
        hasher.bytes("what is asked for", format!("{description:?}").as_bytes());
        let body = key(&self.setup.geometry, &params).0.to_le_bytes();
        hasher.bytes("the body", &body);
        if let Some(skin) = &self.setup.unrefined_skin {
            hasher.positions("the skin before it was refined", &skin.positions);
            hasher.indices("its triangles", skin.triangles.iter().flatten().copied());
        }
        let key = self.key(hasher.finish());
        if let Some(asset) = self.load_mapped(key, notes) {
            return Ok((asset, true));
        }
        let mut bake_notes = Vec::new();
        let greens = self.bake_compressed(&spec_of(description), false, None, &mut bake_notes)?;
        bake_notes.push(greens.boundary_note);
        bake_notes.push(format!(
            "columns compressed {:.1} times by wavelets, {:.2} MB; error {:.2} %",
            greens.report.compression,
            greens.asset.matrix.bytes() as f64 / 1e6,
            100.0 * greens.report.rms_error
        ));
        let bytes = greens.asset.to_bytes();
        // a file rounds coefficients: the same numbers with a full cache as with an empty one
        let Ok(read) = GreensAsset::from_bytes(&bytes) else {
            // more coefficients than a reader allows: such a body is baked each time
            notes.extend(bake_notes);
            return Ok((greens.asset, false));
        };
        self.store(key, bake_notes, &bytes, notes);
        Ok((read, false))
    }

    fn bake_compressed(
        &self,
        spec: &WaveletSpec,
        hats: bool,
        journal: Option<&dyn ColumnJournal>,
        notes: &mut Vec<String>,
    ) -> Result<CompressedGreens, BuildError> {
        let (setup, progress) = (self.setup, self.progress);
        progress.stage("finding subdivision levels");
        let boundary = SubdividedSurface::new(self)?;
        let surface = &boundary.surface;
        let mut params = quasistatic_params(setup);
        let free = free_vertices(&setup.geometry, surface).map_err(|e| self.refused(&e))?;
        let subdivided = SubdividedBoundary {
            surface,
            hierarchy: &boundary.hierarchy,
            free: &free,
        };
        let (asset, dense, mut reports, times, transform_s) = if params.generator == Generator::Fem
        {
            let (fewest, share) = ELEMENTS_BEHIND;
            let nodes = fewest.max(surface.vertex_count() / share);
            let geometry = geometry_behind_surface(setup, nodes, notes, progress)?;
            let baked = bake_compressed(&geometry, &subdivided, &params, spec, hats, progress);
            let (asset, reports, times) = baked.map_err(|e| self.refused(&e))?;
            (asset, None, reports, times, None)
        } else {
            allow_vertices(&mut params, surface.vertex_count());
            let control = BakeControl {
                journal,
                ..BakeControl::new(progress)
            };
            let baked = bake_on_surface(&setup.geometry, surface, &params, &control);
            let (dense, times) = baked.map_err(|e| self.refused(&e))?;
            progress.stage("compressing");
            let start = Instant::now();
            let compressed = dense.compressed(&subdivided, spec, progress);
            let (asset, report) = compressed.map_err(|e| self.refused(&e))?;
            let transform_s = Some(start.elapsed().as_secs_f64());
            (asset, Some(dense), vec![report], times, transform_s)
        };
        // the last one is that of the columns
        let report = reports.pop().unwrap_or_default();
        Ok(CompressedGreens {
            asset,
            dense,
            report,
            hats: reports,
            times,
            transform_s,
            boundary_vertices: surface.vertex_count(),
            base_triangles: boundary.hierarchy.triangles(0).len(),
            boundary_note: boundary.note,
        })
    }
}

/// Lets boundary elements have as many nodes as the boundary, where they fit into memory: a remesh may need more vertices than were asked for.
fn allow_vertices(params: &mut QuasistaticParams, vertices: usize) {
    let most = (available_memory() / BYTES_PER_PAIR).isqrt() as usize;
    params.max_boundary_nodes = params.max_boundary_nodes.max(vertices.min(most));
}

/// The specification that a scene asks for.
fn spec_of(description: &WaveletDescription) -> WaveletSpec {
    WaveletSpec {
        transform: TransformSpec {
            basis: description.basis,
            areas: description.areas,
            ..TransformSpec::default()
        },
        threshold: Threshold::Epsilon(description.threshold),
        near_field: (description.near_field > 0.0).then_some(description.near_field),
    }
}
