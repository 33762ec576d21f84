//! The inverse of a compliance that gains and loses rows: `O(s²)` a row instead of a fresh factor (`O(s³)`).
//!
//! Adding borders the inverse by the Schur complement, removing takes a rank-k correction back (James and Pai 2001, section on updating;
//! Hager 1989, block forms of the Sherman-Morrison-Woodbury identity). Rounding adds up, so every eighth update is followed by a probe
//! of the residual of one right-hand side, and a fresh inverse is made where that is too large.

mod add;
mod drift;
mod passes;
mod remove;
mod small_block;
#[cfg(test)]
mod tests;

use pliant_core::aligned::Aligned;
use pliant_core::simd::arch;
use pulp::Arch;

use crate::capacitance::factor::{DenseLu, SingularPivot};
pub use drift::{DRIFT_LIMIT, MOST_UPDATES};
pub use passes::BLOCK;
use passes::{MultiplyPass, ROOM};

/// A pivot below this share of the numbers it came from counts as zero.
const SMALLEST_PIVOT: f64 = 1e-13;

/// `C⁻¹` of a general compliance `C`, with `C` beside it; the last rows fill the gaps of removed ones.
///
/// Units: `C` m/N, its inverse N/m. Memory: 16 bytes a pair of rows, with room for half as many rows again.
#[derive(Debug)]
pub struct UpdatedInverse {
    arch: Arch,
    size: usize,
    /// distance of columns, a multiple of [`ROOM`]; what lies behind the rows in use is finite and means nothing
    stride: usize,
    matrix: Aligned<f64>,
    inverse: Aligned<f64>,
    columns: Aligned<f64>,
    rows: Aligned<f64>,
    p: Aligned<f64>,
    q: Aligned<f64>,
    lu: DenseLu,
    /// whether `C` is symmetric to the bit: adding then costs two passes instead of three
    symmetric: bool,
    age: u32,
    refactorings: u32,
    drift: f64,
}

impl Default for UpdatedInverse {
    fn default() -> Self {
        Self {
            arch: arch(),
            size: 0,
            stride: 0,
            matrix: Aligned::default(),
            inverse: Aligned::default(),
            columns: Aligned::default(),
            rows: Aligned::default(),
            p: Aligned::default(),
            q: Aligned::default(),
            lu: DenseLu::default(),
            symmetric: true,
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

    /// Relative residual `‖C C⁻¹ b − b‖ / ‖b‖` of the last probe; one follows every eighth update.
    pub fn drift(&self) -> f64 {
        self.drift
    }

    /// Element of `C`, m/N.
    pub fn entry(&self, row: usize, column: usize) -> f64 {
        self.matrix[column * self.stride + row]
    }

    /// Element of `C⁻¹`, N/m.
    pub fn inverse_entry(&self, row: usize, column: usize) -> f64 {
        self.inverse[column * self.stride + row]
    }

    /// Forgets all rows.
    pub fn clear(&mut self) {
        self.size = 0;
        self.symmetric = true;
        self.age = 0;
        self.drift = 0.0;
    }

    /// Takes a whole matrix. Cost `8 m³ / 3`.
    ///
    /// # Errors
    /// [`SingularPivot`]; there are then no rows.
    pub fn set(
        &mut self,
        size: usize,
        entry: impl Fn(usize, usize) -> f64,
    ) -> Result<(), SingularPivot> {
        self.size = 0;
        self.reserve(size);
        let columns = self.matrix.chunks_exact_mut(self.stride.max(1));
        for (column, values) in columns.take(size).enumerate() {
            for (row, value) in values.iter_mut().take(size).enumerate() {
                *value = entry(row, column);
            }
        }
        self.size = size;
        self.symmetric = self.is_symmetric();
        self.invert().inspect_err(|_| self.size = 0)
    }

    /// `C⁻¹ right` into `out`, both of `m` numbers; `scratch` keeps memory between calls. Cost `2 m²`.
    pub fn apply(&self, right: &[f64], scratch: &mut Vec<f64>, out: &mut [f64]) {
        scratch.resize(self.size.next_multiple_of(ROOM), 0.0);
        self.multiply(&self.inverse, right, scratch);
        out.copy_from_slice(&scratch[..out.len()]);
    }

    /// As [`Self::apply`], and once more on what is left of `right`, which takes back the drift. Cost `6 m²`.
    pub fn solve(&mut self, right: &[f64], out: &mut Vec<f64>) {
        let padded = self.size.next_multiple_of(ROOM);
        let (mut rest, mut step) = (
            std::mem::take(&mut self.columns),
            std::mem::take(&mut self.p),
        );
        out.resize(padded, 0.0);
        rest.grow_to(padded);
        step.grow_to(padded);
        self.multiply(&self.inverse, right, out);
        self.multiply(&self.matrix, out, &mut rest[..padded]);
        for (r, b) in rest.iter_mut().zip(right) {
            *r = b - *r;
        }
        self.multiply(&self.inverse, &rest, &mut step[..padded]);
        for (x, s) in out.iter_mut().zip(&step[..]) {
            *x += s;
        }
        out.truncate(self.size);
        (self.columns, self.p) = (rest, step);
    }

    /// The inverse as numbers, with its age: [`Self::restore`] continues to the same bits.
    pub fn state(&self) -> Vec<f64> {
        let mut numbers = vec![f64::from(self.age), self.drift];
        let columns = self.inverse.chunks_exact(self.stride.max(1));
        numbers.extend(columns.take(self.size).flat_map(|c| &c[..self.size]));
        numbers
    }

    /// Takes back the [`Self::state`] of the inverse of the `size` rows with these entries; false when the numbers are not so many.
    pub fn restore(
        &mut self,
        size: usize,
        numbers: &[f64],
        entry: impl Fn(usize, usize) -> f64,
    ) -> bool {
        self.clear();
        let Some((&[age, drift], values)) = numbers.split_first_chunk::<2>() else {
            return false;
        };
        if size == 0 || Some(values.len()) != size.checked_mul(size) {
            return false;
        }
        self.reserve(size);
        let stride = self.stride;
        for (j, column) in values.chunks_exact(size).enumerate() {
            self.inverse[j * stride..j * stride + size].copy_from_slice(column);
            for (i, value) in self.matrix[j * stride..][..size].iter_mut().enumerate() {
                *value = entry(i, j);
            }
        }
        (self.size, self.age, self.drift) = (size, age as u32, drift);
        self.symmetric = self.is_symmetric();
        true
    }

    fn is_symmetric(&self) -> bool {
        (0..self.size).all(|i| (0..i).all(|j| self.entry(i, j) == self.entry(j, i)))
    }

    fn multiply(&self, values: &[f64], x: &[f64], out: &mut [f64]) {
        self.arch.dispatch(MultiplyPass {
            values,
            stride: self.stride,
            size: self.size,
            padded: self.size.next_multiple_of(ROOM),
            x,
            out,
        });
    }

    /// Makes room for `size` rows, keeping what is there.
    fn reserve(&mut self, size: usize) {
        if size <= self.stride {
            return;
        }
        let stride = (size + size / 2).next_multiple_of(ROOM);
        for values in [&mut self.matrix, &mut self.inverse] {
            let mut larger = Aligned::zeros(stride * stride);
            for j in 0..self.size {
                let from = &values[j * self.stride..j * self.stride + self.size];
                larger[j * stride..j * stride + self.size].copy_from_slice(from);
            }
            *values = larger;
        }
        self.stride = stride;
    }
}
