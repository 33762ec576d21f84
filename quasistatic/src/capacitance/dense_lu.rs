//! LU factors of small dense systems, through faer.

use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::linalg::lu::partial_pivoting::factor::{lu_in_place, lu_in_place_scratch};
use faer::linalg::lu::partial_pivoting::solve::{solve_in_place, solve_in_place_scratch};
use faer::perm::PermRef;
use faer::{MatMut, Par};
use pliant_core::math::Mat3;

/// A pivot that is too small compared with the largest one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SingularPivot {
    /// Row of the system whose pivot failed.
    pub row: usize,
}

/// Pivots below this share of the largest one count as zero.
const MIN_PIVOT_RATIO: f64 = 1e-14;
/// Most right-hand sides that are solved together.
const MAX_RIGHT_HAND_SIDES: usize = 64;

/// `P C = L U` of a square matrix; memory is kept between factorisations.
#[derive(Default)]
pub struct DenseLu {
    size: usize,
    /// Column by column, L below and U on and above the diagonal.
    values: Vec<f64>,
    permutation: Vec<usize>,
    inverse_permutation: Vec<usize>,
    memory: Option<MemBuffer>,
    memory_size: usize,
}

impl std::fmt::Debug for DenseLu {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DenseLu").field("size", &self.size).finish()
    }
}

impl DenseLu {
    /// Factors the matrix with these entries on the calling thread; cost `2n³/3` flops.
    ///
    /// # Errors
    /// [`SingularPivot`] when a pivot vanishes; the factor is then unusable.
    pub fn factor(
        &mut self,
        size: usize,
        entry: impl Fn(usize, usize) -> f64,
    ) -> Result<(), SingularPivot> {
        self.factor_filled(size, |values| {
            for (column, out) in values.chunks_exact_mut(size.max(1)).enumerate() {
                for (row, out) in out.iter_mut().enumerate() {
                    *out = entry(row, column);
                }
            }
        })
    }

    /// As [`Self::factor`]; `fill` writes the entries column by column, into zeros.
    ///
    /// # Errors
    /// As [`Self::factor`].
    pub fn factor_filled(
        &mut self,
        size: usize,
        fill: impl FnOnce(&mut [f64]),
    ) -> Result<(), SingularPivot> {
        self.size = size;
        self.values.clear();
        self.values.resize(size * size, 0.0);
        fill(&mut self.values);
        self.permutation.clear();
        self.permutation.resize(size, 0);
        self.inverse_permutation.clear();
        self.inverse_permutation.resize(size, 0);
        if size == 0 {
            return Ok(());
        }
        let memory = match &mut self.memory {
            Some(memory) if self.memory_size >= size => memory,
            slot => {
                self.memory_size = size + size / 2;
                slot.insert(MemBuffer::new(StackReq::any_of(&[
                    lu_in_place_scratch::<usize, f64>(
                        self.memory_size,
                        self.memory_size,
                        Par::Seq,
                        Default::default(),
                    ),
                    solve_in_place_scratch::<usize, f64>(
                        self.memory_size,
                        MAX_RIGHT_HAND_SIDES,
                        Par::Seq,
                    ),
                ])))
            }
        };
        lu_in_place(
            MatMut::from_column_major_slice_mut(&mut self.values, size, size),
            &mut self.permutation,
            &mut self.inverse_permutation,
            Par::Seq,
            MemStack::new(memory),
            Default::default(),
        );
        let pivot = |k: usize| self.values[k * size + k].abs();
        let largest = (0..size).map(pivot).fold(0.0, f64::max);
        match (0..size).find(|&k| pivot(k).is_nan() || pivot(k) <= MIN_PIVOT_RATIO * largest) {
            Some(k) => Err(SingularPivot {
                row: self.permutation[k],
            }),
            None => Ok(()),
        }
    }

    /// Replaces `right` (of the factored size) by the solution; cost `2n²` flops.
    pub fn solve(&mut self, right: &mut [f64]) {
        if right.len() == self.size {
            self.solve_columns(right, self.size, 1);
        }
    }

    /// Replaces three right-hand sides, the columns of `blocks` one below the other, by their solutions.
    pub fn solve_blocks(&mut self, blocks: &mut [Mat3]) {
        let mut right = vec![0.0; 3 * blocks.len()];
        for axis in 0..3 {
            for (numbers, block) in right.as_chunks_mut::<3>().0.iter_mut().zip(&*blocks) {
                *numbers = [0, 1, 2].map(|r| block[(r, axis)]);
            }
            self.solve(&mut right);
            for (block, numbers) in blocks.iter_mut().zip(right.as_chunks::<3>().0) {
                for (r, value) in numbers.iter().enumerate() {
                    block[(r, axis)] = *value;
                }
            }
        }
    }

    /// Replaces `count` right-hand sides, `stride` apart, by their solutions; cost `2n²` flops each. Many together are several times
    /// faster than one by one.
    pub fn solve_columns(&mut self, right: &mut [f64], stride: usize, count: usize) {
        let size = self.size;
        let Some(memory) = &mut self.memory else {
            return;
        };
        if size == 0 || stride < size {
            return;
        }
        let factors = MatMut::from_column_major_slice_mut(&mut self.values, size, size);
        let right = right.get_mut(..stride * count).unwrap_or_default();
        for group in right.chunks_mut(stride * MAX_RIGHT_HAND_SIDES) {
            let columns = group.len() / stride;
            solve_in_place(
                factors.as_ref(),
                factors.as_ref(),
                PermRef::new_checked(&self.permutation, &self.inverse_permutation, size),
                MatMut::from_column_major_slice_with_stride_mut(group, size, columns, stride),
                Par::Seq,
                MemStack::new(memory),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solutions_satisfy_the_system_and_dependent_rows_are_refused() {
        let entry =
            |i: usize, j: usize| ((i * 31 + j * 17) % 13) as f64 + if i == j { 20.0 } else { 0.0 };
        let mut lu = DenseLu::default();
        for size in [0, 1, 5, 90, 40] {
            lu.factor(size, entry).expect("regular");
            let right: Vec<f64> = (0..size).map(|k| k as f64 - 3.0).collect();
            let mut x = right.clone();
            lu.solve(&mut x);
            for (i, b) in right.iter().enumerate() {
                let row: f64 = (0..size).map(|j| entry(i, j) * x[j]).sum();
                assert!((row - b).abs() < 1e-11);
            }
        }
        let copied = |i: usize, j: usize| entry(i.min(3), j);
        assert!(lu.factor(6, copied).is_err());
    }
}
