//! Larger thresholds for columns that are compressed already: details are dropped without another transform or solution.

use rayon::prelude::*;

use super::columns::block_norms;
use super::matrix::WaveletMatrix;
use super::report::relative_error;
use super::threshold::ThresholdSpec;
use crate::error::{CompressionError, check_length};
use crate::number::Number;

/// Columns whose error is measured: that of all columns is within a few percent of it.
const SAMPLE: usize = 96;

impl<T: Number> WaveletMatrix<T> {
    /// Norm of the largest block of each column, which thresholds are shares of. The same bits for any number of threads.
    ///
    /// Cost: an inverse transform of each column.
    pub fn amplitudes(&self) -> Vec<f64> {
        let block = self.size() * self.size();
        let amplitude = |values: &mut Vec<f64>, column: usize| {
            self.expand_column(column, values);
            block_norms(values, block).fold(0.0, f64::max)
        };
        let columns = (0..self.columns()).into_par_iter();
        columns.map_init(Vec::new, amplitude).collect()
    }

    /// The matrix without details below a larger threshold. `amplitudes` is the norm of the largest block of each column, see [`Self::amplitudes`].
    ///
    /// With the amplitudes and the near field of the compression, the result equals a compression of the dense columns with the larger threshold, because the smaller one has dropped
    /// none of the details that it keeps. A smaller threshold brings nothing back. Unlike [`Self::compress`], this does not look for columns that grow by the threshold. Cost: a pass over the kept blocks.
    ///
    /// # Errors
    /// [`CompressionError::BadThreshold`], [`CompressionError::WrongLength`].
    pub fn rethresholded(
        &self,
        amplitudes: &[f64],
        spec: &ThresholdSpec<'_>,
    ) -> Result<Self, CompressionError> {
        let domain = self.transform().domain();
        spec.check(domain, self.columns())?;
        let what = "the list of amplitudes";
        check_length(what, amplitudes.len(), self.columns())?;
        let block = self.size() * self.size();
        let mut thresholded = self.without_columns();
        let (mut kept_rows, mut kept_blocks) = (Vec::new(), Vec::new());
        for (column, &amplitude) in amplitudes.iter().enumerate() {
            kept_rows.clear();
            kept_blocks.clear();
            let (rows, blocks) = self.column(column);
            let (mut level, mut threshold) = (0, spec.threshold_of_level(domain, 0, amplitude));
            let mut end = domain.level_rows(0).end;
            for (&row, numbers) in rows.iter().zip(blocks.chunks_exact(block)) {
                // rows ascend, and with them levels
                while row as usize >= end {
                    level += 1;
                    end = domain.level_rows(level).end;
                    threshold = spec.threshold_of_level(domain, level, amplitude);
                }
                let squares = numbers.iter().map(|x| x.to_f64() * x.to_f64());
                let norm = squares.sum::<f64>().sqrt();
                if spec.keeps(column, row as usize, level, norm, threshold) {
                    kept_rows.push(row);
                    kept_blocks.extend_from_slice(numbers);
                }
            }
            thresholded.push(&kept_rows, &kept_blocks);
        }
        Ok(thresholded)
    }

    /// Relative error of `other` columns of the same rows, compared with these, in the Frobenius norm, on a sample of at most 96 columns. `weights` are
    /// those of [`Columns::weights`](super::Columns::weights). The same bits for any number of threads.
    ///
    /// Cost: two inverse transforms of each column of the sample.
    ///
    /// # Errors
    /// [`CompressionError::WrongLength`] for columns of another size.
    pub fn sampled_error(
        &self,
        other: &Self,
        weights: Option<&[f64]>,
    ) -> Result<f64, CompressionError> {
        check_length("the other matrix", other.rows(), self.rows())?;
        check_length("the other matrix", other.columns(), self.columns())?;
        check_length("a block of the other matrix", other.size(), self.size())?;
        if let Some(weights) = weights {
            check_length("the list of weights", weights.len(), self.columns())?;
        }
        let count = self.columns().min(SAMPLE);
        let parts: Vec<[f64; 2]> = (0..count)
            .into_par_iter()
            .map_init(
                || (Vec::<f64>::new(), Vec::<f64>::new()),
                |(own, others), k| {
                    let column = k * self.columns() / count;
                    self.expand_column(column, own);
                    other.expand_column(column, others);
                    let weight = weights.map_or(1.0, |w| w[column] * w[column]);
                    let pairs = own.iter().zip(others.iter());
                    let error = pairs.map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
                    let total = own.iter().map(|x| x * x).sum::<f64>();
                    [weight * error, weight * total]
                },
            )
            .collect();
        let sum = |k: usize| parts.iter().map(|part| part[k]).sum::<f64>();
        Ok(relative_error(sum(0), sum(1)))
    }
}
