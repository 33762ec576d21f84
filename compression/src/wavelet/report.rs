//! Size and errors of a compressed matrix.

/// Sizes and errors of a compressed matrix.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CompressionReport {
    /// The threshold.
    pub epsilon: f64,
    /// Blocks of the dense matrix.
    pub dense_blocks: usize,
    /// Blocks that are kept.
    pub kept_blocks: usize,
    /// Kept blocks of each level, coarse first.
    pub kept_of_level: Vec<usize>,
    /// Dense blocks over kept ones; indices are not counted.
    pub compression: f64,
    /// `‖error‖ / ‖matrix‖` in the Frobenius norm, columns weighted.
    pub rms_error: f64,
    /// Largest error of a block over the largest block of its column.
    pub max_error: f64,
    /// Columns that had to use a smaller epsilon to stay stable.
    pub stabilised_columns: usize,
}

/// The errors of one column.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ColumnError {
    /// Squared norms of error and column.
    pub error: f64,
    pub total: f64,
    /// Largest error of a block over the largest block of the column.
    pub largest: f64,
    pub stabilised: bool,
}

/// The root of a squared error over a squared norm; 0 where the norm is zero.
pub(super) fn relative_error(error: f64, total: f64) -> f64 {
    match total > 0.0 {
        true => (error / total).sqrt(),
        false => 0.0,
    }
}

impl CompressionReport {
    pub(super) fn new(
        epsilon: f64,
        dense_blocks: usize,
        kept_of_level: Vec<usize>,
        errors: &[ColumnError],
        weights: Option<&[f64]>,
    ) -> Self {
        let kept_blocks: usize = kept_of_level.iter().sum();
        let weight = |k: usize| weights.and_then(|w| w.get(k)).map_or(1.0, |w| w * w);
        let sum = |part: fn(&ColumnError) -> f64| -> f64 {
            errors
                .iter()
                .enumerate()
                .map(|(k, e)| weight(k) * part(e))
                .sum()
        };
        Self {
            epsilon,
            dense_blocks,
            kept_blocks,
            kept_of_level,
            compression: dense_blocks as f64 / kept_blocks.max(1) as f64,
            rms_error: relative_error(sum(|e| e.error), sum(|e| e.total)),
            max_error: errors.iter().map(|e| e.largest).fold(0.0, f64::max),
            stabilised_columns: errors.iter().filter(|e| e.stabilised).count(),
        }
    }
}
