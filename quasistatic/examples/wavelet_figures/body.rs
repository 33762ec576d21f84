//! The rabbit of each size with its Green's functions, and what all figures ask of it.

use std::error::Error;

use pliant_compression::transform::{MissingNeighbours, TransformSpec, WaveletBasis};
use pliant_compression::wavelet::{CompressionReport, WaveletMatrix};
use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_quasistatic::bake::{BakeControl, bake_on_surface, free_vertices};
use pliant_quasistatic::bench_cases::rabbit::SubdividedRabbit;
use pliant_quasistatic::greens::GreensMatrix;
use pliant_quasistatic::greens::wavelets::{SubdividedBoundary, Threshold, WaveletSpec, compress};
use pliant_quasistatic::params::Generator;
use pliant_quasistatic::{Precision, QuasistaticParams};

/// What stops a figure; it can leave the thread that it happened on.
pub type Failure = Box<dyn Error + Send + Sync>;

/// The rabbit at one level of subdivision.
pub struct Body {
    pub levels: usize,
    pub matrix: GreensMatrix,
    /// Place of each node, m.
    pub places: Vec<Vec3>,
    /// Area of each node, m².
    pub areas: Vec<f64>,
    rabbit: SubdividedRabbit,
    free: Vec<bool>,
}

impl Body {
    /// Bakes by linear boundary elements.
    pub fn baked(levels: usize) -> Result<Self, Failure> {
        let rabbit = SubdividedRabbit::new(levels)?;
        let params = QuasistaticParams {
            generator: Generator::BemLinear,
            precision: Precision::Single,
            ..QuasistaticParams::default()
        };
        let (geometry, skin) = (&rabbit.geometry, &rabbit.geometry.skin);
        let progress = Progress::new();
        let control = BakeControl::new(&progress);
        let (asset, _) = bake_on_surface(geometry, skin, &params, &control)?;
        let free = free_vertices(geometry, skin)?;
        let nodes = skin.positions.iter().zip(&free).filter(|(_, free)| **free);
        let places = nodes.map(|(x, _)| *x).collect();
        let mut body = Self {
            levels,
            matrix: asset.matrix,
            places,
            areas: Vec::new(),
            rabbit,
            free,
        };
        body.areas = body.boundary().free_areas();
        Ok(body)
    }

    pub fn boundary(&self) -> SubdividedBoundary<'_> {
        SubdividedBoundary {
            surface: &self.rabbit.geometry.skin,
            hierarchy: &self.rabbit.hierarchy,
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
        let top = (self.places.iter()).max_by(|a, b| a.z.total_cmp(&b.z));
        let top = top.copied().unwrap_or_default();
        let distance = |k: u32| (self.places[k as usize] - top).norm();
        let mut nodes: Vec<u32> = (0..self.places.len() as u32).collect();
        nodes.sort_by(|&a, &b| distance(a).total_cmp(&distance(b)));
        nodes.truncate(count);
        nodes
    }
}

/// Linear lifted wavelets with a threshold.
pub fn linear(epsilon: f64, missing: MissingNeighbours) -> WaveletSpec {
    with(WaveletBasis::Linear, true, missing, epsilon)
}

/// Any wavelets with a threshold.
pub fn with(
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
        },
        threshold: Threshold::Epsilon(epsilon),
        near_field: None,
    }
}
