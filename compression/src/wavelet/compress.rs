//! Transforms, thresholds and measures columns, in parallel and in order.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use pliant_core::asset::Progress;
use rayon::prelude::*;

use super::columns::{Columns, block_norms};
use super::matrix::WaveletMatrix;
use super::report::{ColumnError, CompressionReport};
use super::threshold::{ThresholdSpec, kept_rows};
use crate::error::{CompressionError, check_length};
use crate::number::Number;
use crate::transform::WaveletTransform;

/// Columns that are compressed at the same time: enough for all threads, few enough for the memory.
const COLUMNS_AT_ONCE: usize = 256;
/// How often a column that grows is thresholded again with half the epsilon.
const MAX_STABILISATIONS: usize = 3;

/// One compressed column.
pub(super) struct KeptColumn<T> {
    pub rows: Vec<u32>,
    pub blocks: Vec<T>,
    pub error: ColumnError,
}

/// Buffers of one thread.
struct Workspace {
    columns: Vec<f64>,
    coefficients: Vec<f64>,
    kept: Vec<f64>,
}

impl<T: Number> WaveletMatrix<T> {
    /// Compresses columns. The same bits for any number of threads.
    ///
    /// Cost: two transforms of each column; memory for what is kept and 256 columns.
    ///
    /// # Errors
    /// [`CompressionError::BadThreshold`], [`CompressionError::WrongLength`], [`CompressionError::NotFinite`], [`CompressionError::UnstableReconstruction`], or that it was
    /// cancelled.
    pub fn compress(
        transform: &Arc<WaveletTransform>,
        columns: &Columns<'_>,
        spec: &ThresholdSpec<'_>,
        progress: &Progress,
    ) -> Result<(Self, CompressionReport), CompressionError> {
        check(transform, columns, spec)?;
        let mut matrix = Self::empty(transform, columns.size);
        let mut errors = Vec::with_capacity(columns.count);
        let done = AtomicUsize::new(0);
        for first in (0..columns.count).step_by(COLUMNS_AT_ONCE) {
            let chunk = first..(first + COLUMNS_AT_ONCE).min(columns.count);
            let columns_per_part = columns.max_columns();
            let parts = chunk.len().div_ceil(columns_per_part);
            let kept: Result<Vec<Vec<KeptColumn<T>>>, CompressionError> = (0..parts)
                .into_par_iter()
                .map_init(
                    || Workspace::new(transform, columns),
                    |workspace, part| {
                        progress.check()?;
                        let begin = chunk.start + part * columns_per_part;
                        let range = begin..(begin + columns_per_part).min(chunk.end);
                        let count = range.len();
                        let kept = compress_part(transform, columns, spec, range, workspace)?;
                        let count = done.fetch_add(count, Ordering::Relaxed) + count;
                        progress.set_fraction(count as f64 / columns.count as f64);
                        Ok(kept)
                    },
                )
                .collect();
            for column in kept?.into_iter().flatten() {
                errors.push(column.error);
                matrix.push(&column.rows, &column.blocks);
            }
        }
        let dense = transform.domain().rows() * columns.count;
        let report = CompressionReport::new(
            spec.epsilon,
            dense,
            matrix.kept_of_level(),
            &errors,
            columns.weights,
        );
        Ok((matrix, report))
    }
}

impl Workspace {
    fn new(transform: &WaveletTransform, columns: &Columns<'_>) -> Self {
        let length = transform.domain().rows() * columns.size * columns.size;
        Self {
            columns: vec![0.0; length * columns.max_columns()],
            coefficients: vec![0.0; length],
            kept: vec![0.0; length],
        }
    }
}

/// Checks the arguments before any column is computed.
fn check(
    transform: &WaveletTransform,
    columns: &Columns<'_>,
    spec: &ThresholdSpec<'_>,
) -> Result<(), CompressionError> {
    spec.check(transform.domain(), columns.count)?;
    if columns.size != 1 {
        check_length("a block", columns.size, 3)?;
    }
    if let Some(weights) = columns.weights {
        check_length("the list of weights", weights.len(), columns.count)?;
    }
    Ok(())
}

/// Compresses the columns of `range`, which are written together.
fn compress_part<T: Number>(
    transform: &WaveletTransform,
    columns: &Columns<'_>,
    spec: &ThresholdSpec<'_>,
    range: Range<usize>,
    work: &mut Workspace,
) -> Result<Vec<KeptColumn<T>>, CompressionError> {
    let length = transform.domain().rows() * columns.size * columns.size;
    let mut dense = std::mem::take(&mut work.columns);
    let part = &mut dense[..length * range.len()];
    columns.write(range.clone(), part);
    let kept = range
        .zip(part.chunks_exact(length))
        .map(|(column, dense)| compress_column(transform, columns.size, spec, column, dense, work))
        .collect();
    work.columns = dense;
    kept
}

fn compress_column<T: Number>(
    transform: &WaveletTransform,
    size: usize,
    spec: &ThresholdSpec<'_>,
    column: usize,
    dense: &[f64],
    work: &mut Workspace,
) -> Result<KeptColumn<T>, CompressionError> {
    let block = size * size;
    if !dense.iter().all(|x| x.is_finite()) {
        return Err(CompressionError::NotFinite { column });
    }
    let amplitude = block_norms(dense, block).fold(0.0, f64::max);
    work.coefficients.copy_from_slice(dense);
    transform.forward(&mut work.coefficients, block);
    let mut spec = *spec;
    for attempt in 0..=MAX_STABILISATIONS {
        let rows = kept_rows(
            transform.domain(),
            &work.coefficients,
            block,
            amplitude,
            column,
            &spec,
        );
        let mut blocks = Vec::with_capacity(rows.len() * block);
        work.kept.fill(0.0);
        for &row in &rows {
            let range = row as usize * block..(row as usize + 1) * block;
            for (kept, value) in work.kept[range.clone()]
                .iter_mut()
                .zip(&work.coefficients[range])
            {
                let stored = T::from_f64(*value);
                blocks.push(stored);
                *kept = stored.to_f64();
            }
        }
        transform.inverse(&mut work.kept, block);
        let largest = block_norms(&work.kept, block).fold(0.0, f64::max);
        // James and Pai (2003): the amplitude of a reconstruction stays about that of the column
        if largest <= (1.0 + 4.0 * spec.epsilon) * amplitude * (1.0 + 1e-6) {
            for (kept, value) in work.kept.iter_mut().zip(dense) {
                *kept -= value;
            }
            let square = |values: &[f64]| values.iter().map(|x| x * x).sum::<f64>();
            let worst = block_norms(&work.kept, block).fold(0.0, f64::max);
            let error = ColumnError {
                error: square(&work.kept),
                total: square(dense),
                largest: if amplitude > 0.0 {
                    worst / amplitude
                } else {
                    0.0
                },
                stabilised: attempt > 0,
            };
            return Ok(KeptColumn {
                rows,
                blocks,
                error,
            });
        }
        spec.epsilon *= 0.5;
    }
    Err(CompressionError::UnstableReconstruction {
        column,
        epsilon: spec.epsilon,
    })
}
