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
    /// The same body with compressed columns. Thresholds make the columns unsymmetric, so that constraints are then satisfied by a few corrections.
    ///
    /// # Errors
    /// See [`compress`].
    pub fn compressed(
        &self,
        boundary: &SubdividedBoundary<'_>,
        spec: &WaveletSpec,
        progress: &Progress,
    ) -> Result<(Self, CompressionReport), CompressionError> {
        let (matrix, report) = compress(&self.matrix, boundary, spec, progress)?;
        let columns = boundary.columns(matrix, report.epsilon, spec);
        Ok((self.with_columns(columns), report))
    }

    /// The same body with other columns.
    pub(crate) fn with_columns(&self, columns: WaveletColumns) -> Self {
        Self {
            skin: Arc::clone(&self.skin),
            material: self.material,
            matrix: GreensMatrix::compressed(columns.into()),
            gravity: self.gravity.clone(),
            supports: self.supports.clone(),
            inside: self.inside.clone(),
            releasable: self.releasable.clone(),
            rows: self.rows.clone(),
            unknowns: self.unknowns,
            notes: self.notes.clone(),
        }
    }
}
