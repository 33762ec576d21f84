//! Searches the threshold that gives a prescribed error.

use std::sync::Arc;

use pliant_core::asset::Progress;
use rayon::prelude::*;

use super::columns::{Columns, Fill};
use super::matrix::WaveletMatrix;
use super::threshold::ThresholdSpec;
use crate::error::CompressionError;
use crate::transform::WaveletTransform;

/// Number of sampled columns: the error of a sample is that of the matrix within a few percent.
const SAMPLE: usize = 96;
/// Steps of the search; each halves the range of exponents, from 1e-5 to 1.
const STEPS: usize = 12;

/// The largest `epsilon` whose error (`rms_error` of the report) is at most `error` on a sample of the columns.
///
/// # Errors
/// As [`WaveletMatrix::compress`].
pub fn epsilon_for_error(
    transform: &Arc<WaveletTransform>,
    columns: &Columns<'_>,
    error: f64,
    progress: &Progress,
) -> Result<f64, CompressionError> {
    let count = columns.count.min(SAMPLE);
    let chosen = |k: usize| k * columns.count / count.max(1);
    let weights: Option<Vec<f64>> = columns
        .weights
        .map(|w| (0..count).map(|k| w[chosen(k)]).collect());
    // computed once, because each step of the search reads them
    let length = transform.domain().rows() * columns.size * columns.size;
    let mut dense = vec![0.0; length * count];
    dense
        .par_chunks_mut(length.max(1))
        .enumerate()
        .try_for_each(|(k, out)| {
            columns.write(chosen(k)..chosen(k) + 1, out);
            progress.check()
        })?;
    let fill = |k: usize, out: &mut [f64]| {
        out.copy_from_slice(&dense[k * length..(k + 1) * length]);
    };
    let sample = Columns {
        count,
        size: columns.size,
        weights: weights.as_deref(),
        fill: Fill::One(&fill),
    };
    let (mut low, mut high) = (-5.0_f64, 0.0_f64);
    for _ in 0..STEPS {
        let middle = 0.5 * (low + high);
        let spec = ThresholdSpec::new(10.0_f64.powf(middle));
        let (_, report) = WaveletMatrix::<f32>::compress(transform, &sample, &spec, progress)?;
        if report.rms_error <= error {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(10.0_f64.powf(low))
}
