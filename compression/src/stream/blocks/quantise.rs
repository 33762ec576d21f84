//! Quantisation: coefficients as multiples of a step.

use rayon::prelude::*;

use super::level_blocks::LevelBlocks;
use crate::stream::error::StreamError;
use crate::stream::header::rounded_up;
use crate::stream::plan::Plan;
use crate::wavelet::WaveletMatrix;

/// Bound on the multiples of a step: it leaves room for sums, and nearly all multiples are exact in single precision.
const MAX_STEPS: f64 = (1 << 27) as f64;
/// Coefficients below this share of a step are zero: 0.6 gives one percent smaller streams than 0.5 at the same error.
const DEAD_ZONE: f64 = 0.6;

/// Norm of the largest block of each reconstructed column, rounded up to eight bits. Cost: an inverse transform of each column. The same bits for any number of
/// threads.
///
/// # Errors
/// [`StreamError::BeyondSteps`] for columns that are not finite.
pub(in crate::stream) fn amplitudes(matrix: &WaveletMatrix<f32>) -> Result<Vec<f32>, StreamError> {
    let block = matrix.size() * matrix.size();
    let amplitude = |values: &mut Vec<f64>, column: usize| {
        matrix.expand_column(column, values);
        let norm = |b: &[f64]| b.iter().map(|x| x * x).sum::<f64>().sqrt();
        let finite = values.iter().all(|x| x.is_finite());
        let largest = values.chunks_exact(block).map(norm).fold(0.0, f64::max);
        let amplitude = rounded_up(largest as f32);
        if finite && amplitude.is_finite() {
            Ok(amplitude)
        } else {
            Err(StreamError::BeyondSteps { column })
        }
    };
    let columns = (0..matrix.columns()).into_par_iter();
    columns.map_init(Vec::new, amplitude).collect()
}

/// The blocks of each level as multiples of the steps. Blocks of finer levels that are all zero are dropped; those of the base stay.
///
/// # Errors
/// [`StreamError::BeyondSteps`].
pub(in crate::stream) fn quantise_levels(
    matrix: &WaveletMatrix<f32>,
    plan: &Plan,
) -> Result<Vec<(usize, LevelBlocks)>, StreamError> {
    let domain = matrix.transform().domain();
    let block = plan.block();
    let first = |level: usize| domain.level_rows(level).start;
    let mut levels: Vec<(usize, LevelBlocks)> = (0..=plan.finest())
        .map(|level| (first(level), LevelBlocks::default()))
        .collect();
    let mut numbers = vec![0; block];
    for column in 0..matrix.columns() {
        let (rows, blocks) = matrix.column(column);
        let mut kept = rows.iter().zip(blocks.chunks_exact(block)).peekable();
        for (level, (first, out)) in levels.iter_mut().enumerate() {
            let step = f64::from(plan.step(level, column));
            for row in domain.level_rows(level) {
                let stored = kept.next_if(|(r, _)| **r as usize == row);
                if stored.is_none() && level > 0 {
                    continue;
                }
                numbers.fill(0);
                for (number, &x) in numbers.iter_mut().zip(stored.iter().flat_map(|(_, b)| *b)) {
                    *number = nearest_multiple(f64::from(x), step)
                        .ok_or(StreamError::BeyondSteps { column })?;
                }
                if level == 0 || numbers.iter().any(|x| *x != 0) {
                    out.push((row - *first) as u32, &numbers, 0);
                }
            }
            out.end_column();
        }
    }
    Ok(levels)
}

/// The nearest multiple of `step`, zero within the dead zone; none where it is too large.
fn nearest_multiple(x: f64, step: f64) -> Option<i32> {
    if x == 0.0 {
        return Some(0);
    }
    let steps = x / step;
    let in_dead_zone = steps.abs() < DEAD_ZONE;
    let nearest = if in_dead_zone { 0.0 } else { steps.round() };
    (nearest.abs() < MAX_STEPS).then_some(nearest as i32)
}

/// The base level, rounded to the larger steps of the preview.
pub(in crate::stream) fn preview(base: &LevelBlocks, plan: &Plan) -> LevelBlocks {
    let mut coarse = LevelBlocks::default();
    let shift = plan.preview_shift();
    let half = 1 << (shift - 1);
    let mut numbers = vec![0; plan.block()];
    for column in 0..base.columns() {
        for base in base.column(column) {
            for (number, value) in numbers.iter_mut().zip(base.values) {
                *number = (value + half) >> shift;
            }
            coarse.push(base.row, &numbers, 0);
        }
        coarse.end_column();
    }
    coarse
}
