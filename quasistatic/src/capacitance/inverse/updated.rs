//! The inverse of a compliance, with the compliance beside it.

use pliant_core::aligned::Aligned;
use pliant_core::simd::arch;
use pulp::Arch;

use super::packed::{GROUP, Packed, numbers};
use super::passes::MultiplyPass;
use crate::capacitance::dense_lu::{DenseLu, SingularPivot};

/// A pivot below this share of the numbers it came from counts as zero.
pub(super) const SMALLEST_PIVOT: f64 = 1e-13;

/// `C⁻¹` of a symmetric compliance `C`, with `C` beside it; the last rows take the places of removed ones.
///
/// Units: `C` m/N, its inverse N/m. Memory: 8 bytes a pair of rows, half of each matrix: the cost of an update is reading and writing these bytes.
#[derive(Debug)]
pub struct UpdatedInverse {
    pub(super) arch: Arch,
    pub(super) size: usize,
    pub(super) matrix: Packed,
    pub(super) inverse: Packed,
    /// buffers of an update: new columns, their products with the inverse, and the correction
    pub(super) columns: Aligned<f64>,
    pub(super) p: Aligned<f64>,
    pub(super) w: Aligned<f64>,
    /// memory of a fresh inverse
    pub(super) whole: Aligned<f64>,
    pub(super) lu: DenseLu,
    pub(super) age: u32,
    pub(super) refactorings: u32,
    pub(super) drift: f64,
}

impl Default for UpdatedInverse {
    fn default() -> Self {
        Self {
            arch: arch(),
            size: 0,
            matrix: Packed::default(),
            inverse: Packed::default(),
            columns: Aligned::default(),
            p: Aligned::default(),
            w: Aligned::default(),
            whole: Aligned::default(),
            lu: DenseLu::default(),
            age: 0,
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

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.size == 0
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

    /// Forgets all rows.
    pub fn clear(&mut self) {
        self.size = 0;
        self.age = 0;
        self.drift = 0.0;
    }

    /// Takes a whole matrix, `entry(i, j)` for `i <= j`. Cost `8 m³ / 3`.
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
        let (mut rest, mut first, mut step) = (
            std::mem::take(&mut self.columns),
            std::mem::take(&mut self.p),
            std::mem::take(&mut self.w),
        );
        for list in [&mut rest, &mut first, &mut step] {
            list.clear_to(padded);
        }
        step[..size].copy_from_slice(&right[..size]);
        self.multiply(&self.inverse, &step[..padded], &mut first[..padded]);
        first[size..padded].fill(0.0);
        self.multiply(&self.matrix, &first[..padded], &mut rest[..padded]);
        for (r, b) in rest[..size].iter_mut().zip(right) {
            *r = b - *r;
        }
        rest[size..padded].fill(0.0);
        self.multiply(&self.inverse, &rest[..padded], &mut step[..padded]);
        out.clear();
        out.extend(first[..size].iter().zip(&step[..]).map(|(x, s)| x + s));
        (self.columns, self.p, self.w) = (rest, first, step);
    }

    /// The inverse as numbers, with its age: [`Self::restore`] continues to the same bits.
    pub fn state(&self) -> Vec<f64> {
        let mut numbers = vec![f64::from(self.age), self.drift];
        numbers.extend(self.inverse.numbers(self.size));
        numbers
    }

    /// Restores the [`Self::state`] of the inverse of the `size` rows with these entries; false when the numbers are not so many.
    pub fn restore(
        &mut self,
        size: usize,
        state: &[f64],
        entry: impl Fn(usize, usize) -> f64,
    ) -> bool {
        self.clear();
        let Some((&[age, drift], values)) = state.split_first_chunk::<2>() else {
            return false;
        };
        if size == 0 || size > values.len() || values.len() != numbers(size) {
            return false;
        }
        self.set_matrix(size, entry);
        self.inverse.numbers_mut(size).copy_from_slice(values);
        self.age = age as u32;
        self.drift = drift;
        true
    }

    /// Goes back to `before`, whose rows are still the first ones here: drops the rows added since.
    pub(crate) fn truncate_to(&mut self, before: &Self) {
        let numbers = self.inverse.numbers_mut(before.size);
        numbers.copy_from_slice(before.inverse.numbers(before.size));
        (self.size, self.age, self.drift) = (before.size, before.age, before.drift);
    }

    /// `x` and `out` of whole groups, `x` zero behind the rows in use.
    pub(super) fn multiply(&self, matrix: &Packed, x: &[f64], out: &mut [f64]) {
        self.arch.dispatch(MultiplyPass {
            values: matrix.numbers(self.size),
            x,
            out,
        });
    }
}
