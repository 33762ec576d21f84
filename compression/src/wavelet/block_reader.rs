//! Blocks of the same rows in many columns, as a capacitance matrix needs them.

use pliant_core::math::Mat3;
use pliant_core::simd::arch;
use pulp::{Simd, WithSimd};

use super::matrix::WaveletMatrix;
use crate::number::Number;
use crate::transform::{SelectiveInverse, WaveletTransform};

/// Reads the blocks of selected rows from one column after the other. Each column takes an inverse transform of the rows that the selected ones need, and its coefficients that none of
/// them needs are skipped.
///
/// The bits of a block are those of [`WaveletMatrix::reconstruct`] for a sum of this column alone, whatever the other rows are. [`WaveletMatrix::block`] adds the same products in another
/// order, so that both differ by rounding: in single precision by a few times 1e-7 of the largest number of the column.
#[derive(Debug, Clone, Default)]
pub struct BlockReader<T = f32> {
    plan: SelectiveInverse<T>,
    values: Vec<Block<T>>,
}

impl<T: Number> BlockReader<T> {
    /// Selects the rows that are read from now on, in any order, for all matrices with this transform. Cost: a few look-ups for each row that is needed, less than reading a few columns.
    ///
    /// # Panics
    /// For a row that the transform does not have.
    pub fn select(&mut self, transform: &WaveletTransform, rows: &[u32]) {
        self.plan.select(transform, rows);
    }

    /// The blocks of the selected rows in `column`, in the order of the selection; zero where nothing is kept. Cost: a look-up for each kept block of the column, and a few products for
    /// each row that is needed.
    ///
    /// # Panics
    /// For a column that the matrix does not have.
    pub fn read(&mut self, matrix: &WaveletMatrix<T>, column: u32) -> impl Iterator<Item = Mat3> {
        let Self { plan, values } = self;
        values.clear();
        values.resize(plan.values(), Block::default());
        arch().dispatch(Inverse {
            plan,
            matrix,
            column: column as usize,
            values: &mut values[..],
        });
        let (selected, values) = (plan.selected(), &values[..]);
        let block = move |&value: &u32| values[value as usize].matrix(matrix);
        selected.iter().map(block)
    }
}

/// A block: eight numbers in vectors, and the ninth; one aligned cache line in single precision. Sums are passed by value, so that they stay in registers.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(64))]
struct Block<T>([T; 8], T);

impl<T: Number> Block<T> {
    /// A block of nine numbers, or of one.
    #[inline(always)]
    fn new(numbers: &[T]) -> Self {
        if let Some(&[a, b, c, d, e, f, g, h, last]) = numbers.first_chunk::<9>() {
            return Self([a, b, c, d, e, f, g, h], last);
        }
        let mut lanes = [T::default(); 8];
        lanes[0] = numbers.first().copied().unwrap_or_default();
        Self(lanes, T::default())
    }

    #[inline(always)]
    fn plus(self, weight: T, block: &Self) -> Self {
        let Self(mut lanes, mut last) = self;
        for (sum, x) in lanes.iter_mut().zip(&block.0) {
            *sum += weight * *x;
        }
        last += weight * block.1;
        Self(lanes, last)
    }

    #[inline(always)]
    fn matrix(&self, matrix: &WaveletMatrix<T>) -> Mat3 {
        let [a, b, c, d, e, f, g, h] = self.0;
        matrix.block_of(&[a, b, c, d, e, f, g, h, self.1])
    }
}

/// The inverse transform of a column at the values of a plan, which are zero, with the vector instructions of the machine.
struct Inverse<'a, T> {
    plan: &'a SelectiveInverse<T>,
    matrix: &'a WaveletMatrix<T>,
    column: usize,
    values: &'a mut [Block<T>],
}

impl<T: Number> WithSimd for Inverse<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let (plan, values) = (self.plan, self.values);
        let domain = self.matrix.transform().domain();
        let numbers = self.matrix.size() * self.matrix.size();
        let (mut rows, mut blocks) = self.matrix.column(self.column);
        for (level, predictions) in plan.levels().iter().enumerate() {
            let end = domain.rows_to(level);
            let count = rows.partition_point(|&row| (row as usize) < end);
            let (level_rows, finer_rows) = rows.split_at(count);
            let (level_blocks, finer_blocks) = blocks.split_at(count * numbers);
            (rows, blocks) = (finer_rows, finer_blocks);
            let kept = level_rows.iter().zip(level_blocks.chunks_exact(numbers));
            for (&row, block) in kept {
                let Some(used) = plan.coefficient(row) else {
                    continue;
                };
                let block = Block::new(block);
                for (value, factor) in used.updates {
                    if let Some(value) = values.get_mut(value as usize) {
                        *value = value.plus(factor, &block);
                    }
                }
                if let Some(value) = values.get_mut(used.value as usize) {
                    *value = block;
                }
            }
            for prediction in predictions {
                let mut sum = values[prediction.value as usize];
                for &(value, weight) in plan.parts(prediction) {
                    sum = sum.plus(weight, &values[value as usize]);
                }
                values[prediction.value as usize] = sum;
            }
        }
    }
}
