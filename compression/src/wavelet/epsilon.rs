//! Searches the threshold that gives a prescribed error.

use std::sync::Arc;

use pliant_core::asset::Progress;
use rayon::prelude::*;

use super::columns::{Columns, Fill};
use super::matrix::WaveletMatrix;
use super::report::ColumnError;
use super::threshold::ThresholdSpec;
use crate::error::CompressionError;
use crate::transform::WaveletTransform;

/// Number of sampled columns: the error of a sample is that of the matrix within a few percent.
const SAMPLE: usize = 96;
/// Standard errors by which the sample has to stay below the error asked for. Of normally distributed samples one in 740 lies further from the mean below it.
const STANDARD_ERRORS: f64 = 3.0;
/// Steps of the search; each halves the range of exponents, from 1e-5 to 1.
const STEPS: usize = 12;

/// The largest `epsilon` whose error (`rms_error` of the report) is at most `error`, found on a sample of 96 columns.
///
/// The sample has to stay three of its standard errors below `error`, so that hardly ever all columns together exceed it; their error is then mostly some percent smaller. With 96 columns or fewer all are sampled, and
/// their error is as near to `error` as the search comes.
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
        let (_, errors) = WaveletMatrix::<f32>::compress_each(transform, &sample, &spec, progress)?;
        if upper_excess(&errors, sample.weights, columns.count, error) <= 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(10.0_f64.powf(low))
}

/// Mean of `error² - wanted² total` of all `columns`, at most: that of the sample and [`STANDARD_ERRORS`] of its standard errors. The ratio of the sums of errors and totals is at most `wanted²`
/// where this mean is not positive.
///
/// The standard error is that of a sample without replacement, `√((1 - n / N) s² / n)`, which vanishes where all columns are sampled; that of a ratio follows from these differences
/// (Cochran 1977, chapters 2 and 6).
fn upper_excess(
    sample: &[ColumnError],
    weights: Option<&[f64]>,
    columns: usize,
    wanted: f64,
) -> f64 {
    let excess = |(k, e): (usize, &ColumnError)| {
        let weight = weights.and_then(|w| w.get(k)).map_or(1.0, |w| w * w);
        weight * (e.error - wanted * wanted * e.total)
    };
    let excess: Vec<f64> = sample.iter().enumerate().map(excess).collect();
    let n = excess.len().max(1) as f64;
    let mean = excess.iter().sum::<f64>() / n;
    let squares = excess.iter().map(|x| (x - mean) * (x - mean));
    let variance = squares.sum::<f64>() / (n - 1.0).max(1.0);
    let left_out = 1.0 - n / columns.max(1) as f64;
    mean + STANDARD_ERRORS * (left_out.max(0.0) * variance / n).sqrt()
}
