//! Columns of coarse tractions: hats of each level instead of single vertices (James and Pai 2003, hierarchical Green's functions).
//!
//! A contact on many fine vertices is constrained at the few vertices of a coarser level. The tractions between them are interpolated, and the deformation keeps all of
//! its fine detail.

use pliant_compression::CompressionError;
use pliant_compression::transform::TransformSpec;
use pliant_compression::wavelet::{Columns, ThresholdSpec, WaveletMatrix};
use pliant_core::asset::Progress;

use super::matrix::GreensMatrix;
use super::wavelets::{SubdividedBoundary, Threshold, WaveletSpec, hats_of};

/// Compressed columns of unit tractions on the hats of each level.
///
/// Column `k` of level `l` is the displacement (m) under a traction (Pa) that is one at row `k`, zero at the other rows of the level, and linear between them:
/// `ξ_[l,k] = Σ_j h_kj ξ_j` over the fine vertices `j` of the hat. At the finest level each vertex has its own column.
#[derive(Debug, Clone, PartialEq)]
pub struct HierarchicalColumns {
    /// Columns of each level, coarse first.
    levels: Vec<WaveletMatrix>,
    /// Integral of each hat, coarse level first, m².
    areas: Vec<Vec<f64>>,
}

impl HierarchicalColumns {
    /// Combines the columns of `greens` level by level, and compresses the results.
    ///
    /// Cost: at each level all fine columns are read once for each hat that they belong to.
    ///
    /// # Errors
    /// As [`compress`](super::wavelets::compress). The threshold has to be an epsilon; the value of an error is used as epsilon.
    pub fn new(
        greens: &GreensMatrix,
        boundary: &SubdividedBoundary<'_>,
        spec: &WaveletSpec,
        progress: &Progress,
    ) -> Result<Self, CompressionError> {
        let transform = boundary.transform(&spec.transform)?;
        let hats = boundary.transform(&TransformSpec::HATS)?;
        let node_areas = boundary.free_areas();
        let (Threshold::Epsilon(epsilon) | Threshold::Error(epsilon)) = spec.threshold;
        let threshold = ThresholdSpec::new(epsilon);
        let mut columns = Self {
            levels: Vec::new(),
            areas: Vec::new(),
        };
        for level in 0..=transform.domain().finest() {
            progress.check()?;
            let supports = hats_of(&hats, level);
            let areas: Vec<f64> = supports
                .iter()
                .map(|hat| hat.iter().map(|&(j, h)| h * node_areas[j as usize]).sum())
                .collect();
            let fill = |k: usize, out: &mut [f64]| {
                let mut fine = vec![0.0; out.len()];
                out.fill(0.0);
                for &(j, h) in &supports[k] {
                    greens.write_column(j as usize, &mut fine);
                    let factor = h * node_areas[j as usize];
                    for (sum, x) in out.iter_mut().zip(&fine) {
                        *sum += factor * x;
                    }
                }
            };
            let source = Columns::new(supports.len(), 3, &fill);
            let (matrix, _) = WaveletMatrix::compress(&transform, &source, &threshold, progress)?;
            columns.levels.push(matrix);
            columns.areas.push(areas);
        }
        Ok(columns)
    }

    /// The columns of each level, coarse first.
    pub fn levels(&self) -> &[WaveletMatrix] {
        &self.levels
    }

    /// Integral of the hat of each row of a level, m²: a traction times it is a force.
    pub fn areas(&self, level: usize) -> &[f64] {
        &self.areas[level]
    }
}
