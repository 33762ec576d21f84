//! The rabbit of each size and the dragon with their Green's functions, and what all figures ask of them.

use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use pliant_compression::subdivision::{Refinement, SubdivisionHierarchy};
use pliant_compression::transform::{MissingNeighbours, TransformSpec, WaveletBasis};
use pliant_compression::wavelet::{CompressionReport, WaveletMatrix};
use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::material::Material;
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::scene::Selection;
use pliant_meshing::procedural::{self, ProceduralSpec};
use pliant_meshing::remesh::{RemeshSpec, remesh};
use pliant_quasistatic::bake::{BakeControl, bake_on_surface, free_vertices};
use pliant_quasistatic::benchmark::rabbit::SubdividedRabbit;
use pliant_quasistatic::greens::GreensMatrix;
use pliant_quasistatic::greens::wavelets::{SubdividedBoundary, Threshold, WaveletSpec, compress};
use pliant_quasistatic::params::Generator;
use pliant_quasistatic::{Precision, QuasistaticParams};

/// What stops a figure; it can leave the thread that it happened on.
pub type Failure = Box<dyn Error + Send + Sync>;

/// Levels of the dragon's remesh, triangles of the first base to try, and the distance over the diagonal that is near enough: those of the dragon of 13,875 free vertices of
/// `docs/compression.md`. With fewer levels more base triangles are needed.
const DRAGON: RemeshSpec = RemeshSpec {
    levels: 4,
    base_faces: Some(78),
    distance: 0.015,
};

/// A body at one level of subdivision.
pub struct Body {
    pub levels: usize,
    pub matrix: GreensMatrix,
    /// Place of each node, m.
    pub positions: Vec<Vec3>,
    /// Area of each node, m².
    pub areas: Vec<f64>,
    /// Wall clock of the bake, s.
    pub seconds: f64,
    hierarchy: SubdivisionHierarchy,
    skin: Arc<SurfaceMesh>,
    free: Vec<bool>,
}

impl Body {
    /// The rabbit.
    pub fn rabbit(levels: usize) -> Result<Self, Failure> {
        let rabbit = SubdividedRabbit::new(levels)?;
        Self::baked(&rabbit.geometry, rabbit.hierarchy)
    }

    /// The dragon, held at its feet.
    pub fn dragon(levels: usize) -> Result<Self, Failure> {
        let (skin, hierarchy) = dragon(levels)?;
        let geometry = BodyGeometry::new(Arc::new(skin), Material::isotropic(2e4, 0.3))
            .held_at("feet", Selection::Lowest(0.05));
        Self::baked(&geometry, hierarchy)
    }

    /// Bakes by linear boundary elements.
    fn baked(geometry: &BodyGeometry, hierarchy: SubdivisionHierarchy) -> Result<Self, Failure> {
        let params = QuasistaticParams {
            generator: Generator::BemLinear,
            precision: Precision::Single,
            ..QuasistaticParams::default()
        };
        let skin = &geometry.skin;
        let progress = Progress::new();
        let control = BakeControl::new(&progress);
        let start = Instant::now();
        let (asset, _) = bake_on_surface(geometry, skin, &params, &control)?;
        let seconds = start.elapsed().as_secs_f64();
        let free = free_vertices(geometry, skin)?;
        let nodes = skin.positions.iter().zip(&free).filter(|(_, free)| **free);
        let positions = nodes.map(|(x, _)| *x).collect();
        let mut body = Self {
            levels: hierarchy.finest(),
            matrix: asset.matrix,
            positions,
            areas: Vec::new(),
            seconds,
            hierarchy,
            skin: Arc::clone(skin),
            free,
        };
        body.areas = body.boundary().free_areas();
        Ok(body)
    }

    pub fn skin(&self) -> &SurfaceMesh {
        &self.skin
    }

    pub fn boundary(&self) -> SubdividedBoundary<'_> {
        SubdividedBoundary {
            surface: &self.skin,
            hierarchy: &self.hierarchy,
            free: &self.free,
        }
    }

    /// Columns of single precision and how far off they are.
    pub fn compressed(
        &self,
        spec: &WaveletSpec,
    ) -> Result<(WaveletMatrix, CompressionReport), Failure> {
        Ok(compress(
            &self.matrix,
            &self.boundary(),
            spec,
            &Progress::new(),
        )?)
    }

    /// So many nodes around the one that lies farthest along z, the nearest first.
    pub fn patch(&self, count: usize) -> Vec<u32> {
        let top = (self.positions.iter()).max_by(|a, b| a.z.total_cmp(&b.z));
        let top = top.copied().unwrap_or_default();
        let distance = |k: u32| (self.positions[k as usize] - top).norm();
        let mut nodes: Vec<u32> = (0..self.positions.len() as u32).collect();
        nodes.sort_by(|&a, &b| distance(a).total_cmp(&distance(b)));
        nodes.truncate(count);
        nodes
    }
}

/// The procedural dragon as a remesh, of which the coarser levels are taken.
pub fn dragon(levels: usize) -> Result<(SurfaceMesh, SubdivisionHierarchy), Failure> {
    let spec = ProceduralSpec {
        longest: Some(0.3),
        ..ProceduralSpec::new("dragon")
    };
    let dragon = procedural::body(&spec, &Progress::new())?;
    let found = remesh(&dragon, &DRAGON, &Progress::new())?;
    let refinements = (0..levels).map(|level| Refinement {
        parents: found.edges[level].ends.clone(),
        triangles: found.levels[level + 1].triangles.clone(),
    });
    let base = found.base();
    let hierarchy = SubdivisionHierarchy::new(
        base.vertex_count(),
        base.triangles.clone(),
        refinements.collect(),
    )?;
    let finest = &found.levels[levels];
    let skin = SurfaceMesh::new(finest.positions.clone(), finest.triangles.clone());
    Ok((skin, hierarchy))
}

/// Linear lifted wavelets with a threshold.
pub fn linear_spec(epsilon: f64, missing: MissingNeighbours) -> WaveletSpec {
    wavelet_spec(WaveletBasis::Linear, true, missing, epsilon)
}

/// Any wavelets with a threshold.
pub fn wavelet_spec(
    basis: WaveletBasis,
    lifted: bool,
    missing: MissingNeighbours,
    epsilon: f64,
) -> WaveletSpec {
    WaveletSpec {
        transform: TransformSpec {
            basis,
            lifted,
            missing,
            ..TransformSpec::default()
        },
        threshold: Threshold::Epsilon(epsilon),
        near_field: None,
    }
}
