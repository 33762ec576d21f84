//! A compliance and its inverse.

use pliant_core::aligned::Aligned;
use pliant_core::simd::arch;
use pulp::Arch;

use super::packed::{GROUP, PackedSymmetric, numbers};
use super::passes::{BLOCK, CorrectionPass, MultiplyPass};
use crate::capacitance::dense_lu::{DenseLu, SingularPivot};

/// A pivot below this share of the largest number that it was computed from counts as zero.
pub(super) const MIN_PIVOT_RATIO: f64 = 1e-13;

/// A symmetric compliance `C` and its inverse `C⁻¹`. The last rows take the places of removed ones.
///
/// Units: `C` m/N, its inverse N/m. Memory: 8 bytes for each pair of rows, half of each matrix. The cost of an update is reading and writing these bytes.
#[derive(Debug)]
pub struct UpdatedInverse {
    pub(super) arch: Arch,
    pub(super) size: usize,
    pub(super) matrix: PackedSymmetric,
    pub(super) inverse: PackedSymmetric,
    /// buffers of an update: new columns, their products with the inverse, and the correction
    pub(super) columns: Aligned<f64>,
    pub(super) p: Aligned<f64>,
    pub(super) w: Aligned<f64>,
    /// memory of a fresh inverse
    pub(super) dense: Aligned<f64>,
    pub(super) lu: DenseLu,
    pub(super) update_count: u32,
    pub(super) refactorings: u32,
    pub(super) drift: f64,
}

impl Default for UpdatedInverse {
    fn default() -> Self {
        Self {
            arch: arch(),
            size: 0,
            matrix: PackedSymmetric::default(),
            inverse: PackedSymmetric::default(),
            columns: Aligned::default(),
            p: Aligned::default(),
            w: Aligned::default(),
            dense: Aligned::default(),
            lu: DenseLu::default(),
            update_count: 0,
            refactorings: 0,
            drift: 0.0,
        }
    }
}

impl UpdatedInverse {
    /// Number of rows `m`.
    pub fn len(&self) -> usize {
        self.size
    }

    /// Fresh inverses made so far, [`Self::set`] not counted.
    pub fn refactorings(&self) -> u32 {
        self.refactorings
    }

    /// Element of `C`, m/N.
    pub fn entry(&self, row: usize, column: usize) -> f64 {
        self.matrix.entry(row, column)
    }

    /// Element of `C⁻¹`, N/m.
    pub fn inverse_entry(&self, row: usize, column: usize) -> f64 {
        self.inverse.entry(row, column)
    }

    /// Removes all rows.
    pub fn clear(&mut self) {
        self.size = 0;
        self.update_count = 0;
        self.drift = 0.0;
    }

    /// Sets the whole matrix from `entry(i, j)` for `i <= j`. Cost `8 m³ / 3`.
    ///
    /// # Errors
    /// [`SingularPivot`]; there are then no rows.
    pub fn set(
        &mut self,
        size: usize,
        entry: impl Fn(usize, usize) -> f64,
    ) -> Result<(), SingularPivot> {
        self.set_matrix(size, entry);
        self.invert().inspect_err(|_| self.size = 0)
    }

    fn set_matrix(&mut self, size: usize, entry: impl Fn(usize, usize) -> f64) {
        self.size = size;
        self.matrix.grow_to(size);
        self.inverse.grow_to(size);
        for column in 0..size {
            for row in 0..=column {
                self.matrix.set(row, column, entry(row, column));
            }
        }
    }

    /// `C⁻¹ right` into `out`, both of `m` numbers; `scratch` keeps memory between calls. Cost `2 m²`.
    pub fn apply(&self, right: &[f64], scratch: &mut Vec<f64>, out: &mut [f64]) {
        let padded = self.size.next_multiple_of(GROUP);
        scratch.resize(2 * padded, 0.0);
        let (x, product) = scratch.split_at_mut(padded);
        x[..self.size].copy_from_slice(&right[..self.size]);
        x[self.size..].fill(0.0);
        self.multiply(&self.inverse, x, product);
        out.copy_from_slice(&product[..out.len()]);
    }

    /// As [`Self::apply`] with one step of iterative refinement, which removes the effect of drift. Cost `6 m²`.
    pub fn solve(&mut self, right: &[f64], out: &mut Vec<f64>) {
        let (size, padded) = (self.size, self.size.next_multiple_of(GROUP));
        let (mut residual, mut estimate, mut correction) = (
            std::mem::take(&mut self.columns),
            std::mem::take(&mut self.p),
            std::mem::take(&mut self.w),
        );
        for list in [&mut residual, &mut estimate, &mut correction] {
            list.clear_to(padded);
        }
        correction[..size].copy_from_slice(&right[..size]);
        self.multiply(
            &self.inverse,
            &correction[..padded],
            &mut estimate[..padded],
        );
        estimate[size..padded].fill(0.0);
        self.multiply(&self.matrix, &estimate[..padded], &mut residual[..padded]);
        for (r, b) in residual[..size].iter_mut().zip(right) {
            *r = b - *r;
        }
        residual[size..padded].fill(0.0);
        self.multiply(
            &self.inverse,
            &residual[..padded],
            &mut correction[..padded],
        );
        out.clear();
        out.extend(
            estimate[..size]
                .iter()
                .zip(&correction[..])
                .map(|(x, s)| x + s),
        );
        (self.columns, self.p, self.w) = (residual, estimate, correction);
    }

    /// The inverse as numbers, with its number of updates. After [`Self::restore`] the same bits follow.
    pub fn state(&self) -> Vec<f64> {
        let mut numbers = vec![f64::from(self.update_count), self.drift];
        numbers.extend(self.inverse.numbers(self.size));
        numbers
    }

    /// Restores the [`Self::state`] of the inverse of the `size` rows with these entries; false when the count of numbers is wrong.
    pub fn restore(
        &mut self,
        size: usize,
        state: &[f64],
        entry: impl Fn(usize, usize) -> f64,
    ) -> bool {
        self.clear();
        let Some((&[update_count, drift], values)) = state.split_first_chunk::<2>() else {
            return false;
        };
        if size == 0 || size > values.len() || values.len() != numbers(size) {
            return false;
        }
        self.set_matrix(size, entry);
        self.inverse.numbers_mut(size).copy_from_slice(values);
        self.update_count = update_count as u32;
        self.drift = drift;
        true
    }

    /// Restores `before`, whose rows are still the first ones here, and drops the rows added since.
    pub(crate) fn truncate_to(&mut self, before: &Self) {
        let numbers = self.inverse.numbers_mut(before.size);
        numbers.copy_from_slice(before.inverse.numbers(before.size));
        (self.size, self.update_count, self.drift) =
            (before.size, before.update_count, before.drift);
    }

    /// Becomes a copy of `other`; keeps memory.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        let size = other.size;
        for (own, others) in [
            (&mut self.matrix, &other.matrix),
            (&mut self.inverse, &other.inverse),
        ] {
            own.grow_to(size);
            own.numbers_mut(size).copy_from_slice(others.numbers(size));
        }
        self.size = size;
        self.update_count = other.update_count;
        self.refactorings = other.refactorings;
        self.drift = other.drift;
    }

    /// Adds `P T Pᵀ` to the inverse, for a `block` `T`; `W = T Pᵀ` is left in `w`.
    pub(super) fn correct(&mut self, block: &[[f64; BLOCK]; BLOCK]) {
        let padded = self.size.next_multiple_of(GROUP);
        self.w.grow_to(BLOCK * padded);
        self.arch.dispatch(CorrectionPass {
            inverse: self.inverse.numbers_mut(self.size),
            padded,
            p: &self.p[..BLOCK * padded],
            block,
            w: &mut self.w[..BLOCK * padded],
        });
    }

    /// Product of a matrix with `x` into `out`. Both have full groups, and `x` is zero behind the rows in use.
    pub(super) fn multiply(&self, matrix: &PackedSymmetric, x: &[f64], out: &mut [f64]) {
        self.arch.dispatch(MultiplyPass {
            values: matrix.numbers(self.size),
            x,
            out,
        });
    }
}
