//! The wavelet columns in use: the stored ones, or the stored ones at a larger threshold.

use std::sync::Arc;

use pliant_compression::CompressionError;

use crate::asset::GreensAsset;
use crate::greens::compressed::WaveletColumns;

/// The columns as they are stored, while the asset in use may have a larger threshold.
#[derive(Debug)]
pub(crate) struct StoredColumns {
    /// The body with the stored columns.
    asset: Arc<GreensAsset>,
    /// The stored threshold.
    epsilon: f64,
    /// Largest block of each column; empty until a larger threshold is asked for.
    amplitudes: Vec<f64>,
    /// Relative error of the columns in use against the stored ones.
    pub error: f64,
}

impl StoredColumns {
    /// The columns of an asset; `None` where they are not wavelets.
    pub fn from_asset(asset: &Arc<GreensAsset>) -> Option<Self> {
        let columns = asset.matrix.wavelet_columns()?;
        Some(Self {
            epsilon: columns.epsilon,
            asset: Arc::clone(asset),
            amplitudes: Vec::new(),
            error: 0.0,
        })
    }

    /// The stored threshold. It is the smallest usable one, because the blocks below it are not stored.
    pub fn epsilon(&self) -> f64 {
        self.epsilon
    }

    /// The body with a threshold from the stored one to 1, and the error of its columns against the stored ones.
    ///
    /// Cost: a pass over the kept blocks, and two inverse transforms of each of at most 96 columns. The first call also takes an inverse transform of each column.
    pub fn with_threshold(
        &mut self,
        epsilon: f64,
    ) -> Result<(Arc<GreensAsset>, f64), CompressionError> {
        let stored = self.asset.matrix.wavelet_columns();
        let Some(stored) = stored.filter(|_| epsilon > self.epsilon || epsilon.is_nan()) else {
            return Ok((Arc::clone(&self.asset), 0.0));
        };
        if self.amplitudes.is_empty() {
            self.amplitudes = stored.matrix.amplitudes();
        }
        let coarser = stored.rethresholded(&self.amplitudes, epsilon)?;
        let error = stored.sampled_error(&coarser)?;
        Ok((Arc::new(self.asset.with_columns(coarser)), error))
    }

    /// Bytes that this takes in addition to the asset in use.
    pub fn additional_bytes(&self, in_use: &Arc<GreensAsset>) -> usize {
        let amplitudes = size_of_val(&self.amplitudes[..]);
        let columns = self.asset.matrix.wavelets();
        match Arc::ptr_eq(&self.asset, in_use) {
            true => amplitudes,
            false => amplitudes + columns.map_or(0, |columns| columns.column_bytes()),
        }
    }

    /// Size and error of the columns in use: bytes of blocks and indices, blocks of dense columns over kept ones, error against the stored columns.
    pub fn figures(&self, in_use: &WaveletColumns) -> [(&'static str, f64); 3] {
        let matrix = &in_use.matrix;
        let dense = (matrix.rows() * matrix.columns()) as f64;
        [
            ("column_bytes", matrix.column_bytes() as f64),
            (
                "column_compression",
                dense / matrix.kept_blocks().max(1) as f64,
            ),
            ("column_error", self.error),
        ]
    }
}
