//! The same body with compressed columns.

use std::sync::Arc;

use pliant_compression::CompressionError;
use pliant_compression::wavelet::CompressionReport;
use pliant_core::asset::Progress;

use crate::asset::greens_asset::GreensAsset;
use crate::greens::GreensMatrix;
use crate::greens::compressed::WaveletColumns;
use crate::greens::wavelets::{SubdividedBoundary, WaveletSpec, compress};

impl GreensAsset {
    /// Replaces dense columns by compressed ones. Constraints are then satisfied by a few corrections, because thresholds take the symmetry of the columns.
    ///
    /// # Errors
    /// See [`compress`].
    pub fn compressed(
        mut self,
        boundary: &SubdividedBoundary<'_>,
        spec: &WaveletSpec,
        progress: &Progress,
    ) -> Result<(Self, CompressionReport), CompressionError> {
        let (matrix, report) = compress(&self.matrix, boundary, spec, progress)?;
        let columns = WaveletColumns {
            matrix,
            hierarchy: Arc::new(boundary.hierarchy.clone()),
            areas: boundary.areas().into(),
            epsilon: report.epsilon,
        };
        self.matrix = GreensMatrix::compressed(columns.into());
        Ok((self, report))
    }
}
