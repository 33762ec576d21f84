//! The rule that says which coefficients of a column are kept.

use pliant_core::math::Vec3;

use super::columns::block_norms;
use crate::error::{CompressionError, check_length};
use crate::transform::Domain;

/// The threshold and the coefficients that it does not concern.
#[derive(Debug, Clone, Copy)]
pub struct ThresholdSpec<'a> {
    /// Share of the largest block of a column below which details of the finest level are dropped; the threshold halves with each coarser level
    /// (James and Pai 2003). The relative error of a matrix is 0.3 to 0.8 of it on bodies of 500 nodes and more.
    pub epsilon: f64,
    /// Coefficients that are kept in any case.
    pub near_field: Option<NearField<'a>>,
}

/// Coefficients near the own vertex of a column. Tractions next to a contact depend on them; thresholds alone leave these 5 to 40 % wrong.
#[derive(Debug, Clone, Copy)]
pub struct NearField<'a> {
    /// Distance in mean edges of each level; 2.2 leaves tractions of a patch 3 % wrong at `epsilon` 0.2, where none leaves 17 to 50 %.
    pub edges: f64,
    /// Mean edge of each level, coarse first, m.
    pub edge_of_level: &'a [f64],
    /// Position of each row, m.
    pub rows: &'a [Vec3],
    /// Position of each column's own vertex, m.
    pub columns: &'a [Vec3],
}

impl NearField<'_> {
    fn keeps(&self, column: usize, row: usize, level: usize) -> bool {
        let reach = self.edges * self.edge_of_level.get(level).copied().unwrap_or(0.0);
        (self.rows[row] - self.columns[column]).norm() <= reach
    }
}

impl ThresholdSpec<'static> {
    /// A threshold without a near field.
    pub fn new(epsilon: f64) -> Self {
        Self {
            epsilon,
            near_field: None,
        }
    }
}

impl ThresholdSpec<'_> {
    /// Refuses a specification that does not fit the rows and the number of columns.
    pub(super) fn check(&self, domain: &Domain, columns: usize) -> Result<(), CompressionError> {
        if !(0.0..=1.0).contains(&self.epsilon) {
            return Err(CompressionError::BadThreshold {
                epsilon: self.epsilon,
            });
        }
        if let Some(near) = &self.near_field {
            let levels = domain.finest() + 1;
            check_length("the list of places of rows", near.rows.len(), domain.rows())?;
            check_length("the list of places of columns", near.columns.len(), columns)?;
            check_length("the list of edges", near.edge_of_level.len(), levels)?;
        }
        Ok(())
    }

    /// Threshold of the norm of a coefficient of `level`, in a column whose largest block has the norm `amplitude`.
    pub(super) fn threshold_of_level(&self, domain: &Domain, level: usize, amplitude: f64) -> f64 {
        self.epsilon * amplitude * 0.5_f64.powi((domain.finest() - level) as i32)
    }

    /// Whether a coefficient of this norm is kept: those of the base level, those that reach the threshold of their level, and those near the column's own vertex.
    pub(super) fn keeps(
        &self,
        column: usize,
        row: usize,
        level: usize,
        norm: f64,
        threshold: f64,
    ) -> bool {
        let near = || {
            self.near_field
                .is_some_and(|near| near.keeps(column, row, level))
        };
        level == 0 || norm >= threshold || near()
    }
}

/// The rows whose coefficients are kept by [`ThresholdSpec::keeps`], ascending.
pub(super) fn kept_rows(
    domain: &Domain,
    coefficients: &[f64],
    block: usize,
    amplitude: f64,
    column: usize,
    spec: &ThresholdSpec<'_>,
) -> Vec<u32> {
    let finest = domain.finest();
    let mut kept = Vec::new();
    let mut norms = block_norms(coefficients, block);
    for level in 0..=finest {
        let threshold = spec.threshold_of_level(domain, level, amplitude);
        for row in domain.level_rows(level) {
            let norm = norms.next().unwrap_or(0.0);
            if spec.keeps(column, row, level, norm, threshold) {
                kept.push(row as u32);
            }
        }
    }
    kept
}
