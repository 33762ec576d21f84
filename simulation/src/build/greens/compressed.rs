//! Green's functions on a boundary with subdivision connectivity, compressed by wavelets.

use std::time::Instant;

use pliant_core::asset::Progress;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::scene::{BoundaryChoice, Method, WaveletChoice, WaveletDescription};
use pliant_meshing::remesh::{RemeshSpec, remesh};
use pliant_quasistatic::bake::{
    BakeControl, ColumnJournal, bake_on_surface, free_vertices, surface_key,
};
use pliant_quasistatic::compression::CompressionError;
use pliant_quasistatic::compression::subdivision::{Refinement, SubdivisionHierarchy, detect};
use pliant_quasistatic::compression::transform::{TransformSpec, WaveletBasis};
use pliant_quasistatic::compression::wavelet::{CompressionReport, WaveletMatrix};
use pliant_quasistatic::greens::wavelets::{SubdividedBoundary, Threshold, WaveletSpec};
use pliant_quasistatic::params::Generator;
use pliant_quasistatic::{GreensAsset, QuasistaticParams};

use super::baked::BakedGreens;
use crate::build::geometry::{available, boundary_limits};
use crate::build::job::Job;
use crate::cache::AssetCache;
use crate::error::BuildError;
use crate::parameters::quasistatic_params;
use crate::setup::Setup;

/// Triangles of the base that a remesh aims at: the mapping of surfaces with ears and legs needs about so many.
const BASE_TRIANGLES: f64 = 80.0;

/// Memory of dense columns while boundary elements make them, bytes for each pair of vertices.
const BYTES_PER_PAIR: u64 = 160;

/// Distance of the boundary from the skin, over the diagonal, that is near enough: forces are good beyond it, too.
const BOUNDARY_DISTANCE: f64 = 0.015;

/// Largest skin with subdivision connectivity that is its own boundary where the scene leaves the choice: dense columns of so many nodes take minutes.
const LARGEST_SKIN: usize = 3000;

/// Triangles over the wanted number from which on fewer levels are tried.
const MOST_TRIANGLES: f64 = 1.6;

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
    /// Subdivisions of it.
    pub levels: usize,
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
    let boundary = Boundary::of(&job)?;
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
        levels: boundary.hierarchy.finest(),
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
fn boundary_params(setup: &Setup, boundary: &Boundary) -> QuasistaticParams {
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
        let boundary = Boundary::of(self)?;
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

/// A boundary with levels.
struct Boundary {
    surface: SurfaceMesh,
    hierarchy: SubdivisionHierarchy,
    note: String,
}

impl Boundary {
    fn of(job: &Job<'_>) -> Result<Self, BuildError> {
        let setup = job.setup;
        let skin = &setup.geometry.skin;
        let (most, _) = boundary_limits(setup);
        let (wanted, own_limit) = match setup.description.body.quasistatic.boundary {
            BoundaryChoice::Nodes(nodes) => (nodes, nodes),
            BoundaryChoice::Skin => (skin.vertex_count(), skin.vertex_count()),
            BoundaryChoice::Auto => (most, LARGEST_SKIN),
        };
        if skin.vertex_count() <= own_limit
            && let Ok(found) = detect(skin.vertex_count(), &skin.triangles)
        {
            let positions = found.vertex.iter().map(|&v| skin.positions[v as usize]);
            let levels = found.hierarchy.finest();
            return Ok(Self {
                surface: SurfaceMesh::new(
                    positions.collect(),
                    found.hierarchy.triangles(levels).to_vec(),
                ),
                note: format!("the skin has {levels} levels of subdivision"),
                hierarchy: found.hierarchy,
            });
        }
        Self::remeshed(job, wanted)
    }

    /// A remesh with about so many vertices: as many levels as leave a base that can be mapped.
    fn remeshed(job: &Job<'_>, vertices: usize) -> Result<Self, BuildError> {
        let skin = &job.setup.geometry.skin;
        let triangles = 2.0 * vertices as f64;
        let mut levels = (triangles / BASE_TRIANGLES).log(4.0).round().max(1.0) as usize;
        let remeshed = loop {
            let base_faces = (triangles / 4.0_f64.powi(levels as i32)).round() as usize;
            let spec = RemeshSpec {
                levels,
                base_faces: Some(base_faces),
                distance: BOUNDARY_DISTANCE,
            };
            let remeshed = remesh(skin, &spec, job.progress).map_err(|e| job.refused(&e))?;
            let found = remeshed.levels[levels].triangles.len() as f64;
            if levels == 1 || found < MOST_TRIANGLES * triangles {
                break remeshed;
            }
            // a base so small was not possible
            levels -= 1;
        };
        let refinements = (0..levels).map(|level| Refinement {
            parents: remeshed.edges[level].ends.clone(),
            triangles: remeshed.levels[level + 1].triangles.clone(),
        });
        let base = remeshed.base();
        let hierarchy = SubdivisionHierarchy::new(
            base.vertex_count(),
            base.triangles.clone(),
            refinements.collect(),
        );
        let hierarchy = hierarchy.map_err(|e: CompressionError| job.refused(&e))?;
        let finest = &remeshed.levels[levels];
        Ok(Self {
            note: format!(
                "the boundary is a remesh: {} triangles subdivided {levels} times, {:.2} % of the diagonal from the skin{}",
                base.triangles.len(),
                100.0 * remeshed.distance_rel,
                match remeshed.folded_triangles + remeshed.self_intersections {
                    0 => String::new(),
                    bad => format!("; {bad} triangles are folded or cross others"),
                }
            ),
            surface: SurfaceMesh::new(finest.positions.clone(), finest.triangles.clone()),
            hierarchy,
        })
    }
}
