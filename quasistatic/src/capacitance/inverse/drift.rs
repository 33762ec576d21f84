//! Measures the drift of the updated inverse by rounding, and computes a fresh inverse.

use super::packed::GROUP;
use super::updated::UpdatedInverse;
use crate::capacitance::dense_lu::SingularPivot;

/// Relative residual of the probe above which the inverse is computed anew.
const DRIFT_LIMIT: f64 = 1e-9;
/// Number of updates after which the inverse is computed anew in any case.
const MAX_UPDATES: u32 = 200;
/// Number of updates between two probes.
const PROBE_EVERY: u32 = 8;

impl UpdatedInverse {
    pub(super) fn after_update(&mut self) -> Result<(), SingularPivot> {
        self.update_count += 1;
        if self.update_count.is_multiple_of(PROBE_EVERY) {
            self.probe();
        }
        if self.update_count >= MAX_UPDATES || self.drift.is_nan() || self.drift > DRIFT_LIMIT {
            self.refactorings += 1;
            // without a fresh inverse all rows are removed
            return self.invert().inspect_err(|_| self.size = 0);
        }
        Ok(())
    }

    /// Measures the residual of one right-hand side, which differs from probe to probe.
    fn probe(&mut self) {
        let (m, n) = (self.size, self.size.next_multiple_of(GROUP));
        let (mut probe, mut solved, mut product) = (
            std::mem::take(&mut self.columns),
            std::mem::take(&mut self.p),
            std::mem::take(&mut self.w),
        );
        probe.clear_to(n);
        for (i, value) in probe.iter_mut().enumerate().take(m) {
            *value = 1.0 - 0.5 * ((i * 7919 + self.update_count as usize) % 5) as f64;
        }
        solved.grow_to(n);
        product.grow_to(n);
        self.multiply(&self.inverse, &probe[..n], &mut solved[..n]);
        solved[m..n].fill(0.0);
        self.multiply(&self.matrix, &solved[..n], &mut product[..n]);
        let (mut error, mut size) = (0.0, f64::MIN_POSITIVE);
        for (a, b) in product.iter().zip(&probe[..m]) {
            error += (a - b) * (a - b);
            size += b * b;
        }
        self.drift = (error / size).sqrt();
        (self.columns, self.p, self.w) = (probe, solved, product);
    }

    /// Computes the inverse from a fresh factor.
    pub(super) fn invert(&mut self) -> Result<(), SingularPivot> {
        let (m, matrix) = (self.size, &self.matrix);
        self.update_count = 0;
        self.drift = 0.0;
        self.lu.factor(m, |i, j| matrix.entry(i, j))?;
        let dense = &mut self.dense;
        dense.clear_to(m * m);
        for j in 0..m {
            dense[j * m + j] = 1.0;
        }
        self.lu.solve_columns(dense, m, m);
        for j in 0..m {
            for i in 0..=j {
                self.inverse.set(i, j, dense[j * m + i]);
            }
        }
        Ok(())
    }
}
