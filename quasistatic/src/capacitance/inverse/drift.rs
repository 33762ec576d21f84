//! The drift of the updated inverse by rounding, and the fresh inverse.

use super::packed::GROUP;
use super::updated::UpdatedInverse;
use crate::capacitance::dense_lu::SingularPivot;

/// Relative residual of the probe above which the inverse is computed anew.
pub const DRIFT_LIMIT: f64 = 1e-9;
/// Updates after which it is computed anew in any case.
pub const MOST_UPDATES: u32 = 200;
/// Updates between two probes.
const PROBE_EVERY: u32 = 8;

impl UpdatedInverse {
    pub(super) fn after_update(&mut self) -> Result<(), SingularPivot> {
        self.age += 1;
        if self.age.is_multiple_of(PROBE_EVERY) {
            self.probe();
        }
        if self.age >= MOST_UPDATES || self.drift.is_nan() || self.drift > DRIFT_LIMIT {
            self.refactorings += 1;
            // without a fresh inverse there are no rows
            return self.invert().inspect_err(|_| self.size = 0);
        }
        Ok(())
    }

    /// Measures the residual of one right-hand side, another one at each age.
    fn probe(&mut self) {
        let (m, n) = (self.size, self.size.next_multiple_of(GROUP));
        let (mut probe, mut solved, mut back) = (
            std::mem::take(&mut self.columns),
            std::mem::take(&mut self.p),
            std::mem::take(&mut self.w),
        );
        probe.clear_to(n);
        for (i, value) in probe.iter_mut().enumerate().take(m) {
            *value = 1.0 - 0.5 * ((i * 7919 + self.age as usize) % 5) as f64;
        }
        solved.grow_to(n);
        back.grow_to(n);
        self.multiply(&self.inverse, &probe[..n], &mut solved[..n]);
        solved[m..n].fill(0.0);
        self.multiply(&self.matrix, &solved[..n], &mut back[..n]);
        let (mut error, mut size) = (0.0, f64::MIN_POSITIVE);
        for (a, b) in back.iter().zip(&probe[..m]) {
            error += (a - b) * (a - b);
            size += b * b;
        }
        self.drift = (error / size).sqrt();
        (self.columns, self.p, self.w) = (probe, solved, back);
    }

    /// The inverse from a fresh factor.
    pub(super) fn invert(&mut self) -> Result<(), SingularPivot> {
        let (m, matrix) = (self.size, &self.matrix);
        self.age = 0;
        self.drift = 0.0;
        self.lu.factor(m, |i, j| matrix.entry(i, j))?;
        let whole = &mut self.whole;
        whole.clear_to(m * m);
        for j in 0..m {
            whole[j * m + j] = 1.0;
        }
        self.lu.solve_columns(whole, m, m);
        for j in 0..m {
            for i in 0..=j {
                self.inverse.set(i, j, whole[j * m + i]);
            }
        }
        Ok(())
    }
}
