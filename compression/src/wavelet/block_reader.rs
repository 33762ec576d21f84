//! Many blocks of one column, as a capacitance matrix needs them.

use pliant_core::math::Mat3;
use pliant_core::simd::arch;
use pulp::{Simd, WithSimd};

use super::matrix::WaveletMatrix;
use crate::number::Number;
use crate::transform::RowTable;

/// Numbers of an expanded block: nine and padding, so that a block is one aligned cache line in single precision.
const LANES: usize = 16;

/// A block and its padding.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Lanes<T>([T; LANES]);

/// Reads many blocks of one column. The column is expanded once, so that each coefficient takes one look-up.
///
/// Coefficients that are not kept are read as a block of zeros, because a mispredicted branch costs more than the sum. The bits are those of [`WaveletMatrix::block`].
#[derive(Debug, Clone)]
pub struct BlockReader<T = f32> {
    /// Place of each row in `blocks`; zero where it is not kept.
    place: Vec<u32>,
    /// Rows with a place.
    rows: Vec<u32>,
    /// A block of zeros, then the kept blocks.
    blocks: Vec<Lanes<T>>,
}

impl<T: Number> Default for BlockReader<T> {
    fn default() -> Self {
        Self {
            place: Vec::new(),
            rows: Vec::new(),
            blocks: vec![Lanes([T::default(); LANES])],
        }
    }
}

impl<T: Number> BlockReader<T> {
    /// Expands `column` of `matrix`, which the following calls read. Cost: a copy of its kept blocks.
    pub fn open(&mut self, matrix: &WaveletMatrix<T>, column: u32) {
        for row in self.rows.drain(..) {
            self.place[row as usize] = 0;
        }
        self.place.resize(self.place.len().max(matrix.rows()), 0);
        let (kept, blocks) = matrix.column(column as usize);
        let missing = (kept.len() + 1).saturating_sub(self.blocks.len());
        let zeros = std::iter::repeat_n(Lanes([T::default(); LANES]), missing);
        self.blocks.extend(zeros);
        let lanes = self.blocks.iter_mut().skip(1);
        if matrix.size() == 3 {
            for (lanes, block) in lanes.zip(blocks.as_chunks::<9>().0) {
                lanes.0[..9].copy_from_slice(block);
            }
        } else {
            // numbers of an earlier 3 × 3 block behind the first one are not read
            for (lanes, x) in lanes.zip(blocks) {
                lanes.0[0] = *x;
            }
        }
        for (place, &row) in (1..).zip(kept) {
            self.place[row as usize] = place;
        }
        self.rows.extend_from_slice(kept);
    }

    /// The block of `row` in the column that is open; `matrix` is the one that it was opened with. Zero where none is. Cost: one look-up for each of about 50 coefficients.
    pub fn block(&self, matrix: &WaveletMatrix<T>, row: usize) -> Mat3 {
        self.sum(matrix.table().row(row)).block(matrix)
    }

    /// Writes the blocks of `rows` in the column that is open to `out`, as [`Self::block`] does one by one. Cost: 20 to 40 ns a block.
    pub fn blocks(&self, matrix: &WaveletMatrix<T>, rows: &[u32], out: &mut Vec<Mat3>) {
        out.clear();
        let table = matrix.table();
        arch().dispatch(BlocksOfRows {
            reader: self,
            matrix,
            table,
            rows,
            out,
        });
    }

    /// `Σ weight · block` of a row, in the order of its coefficients.
    #[inline(always)]
    fn sum(&self, (coefficients, weights): (&[u32], &[T])) -> Sum<T> {
        let mut sum = Sum::default();
        for (&k, &weight) in coefficients.iter().zip(weights) {
            sum = sum.plus(weight, self.lanes(k));
        }
        sum
    }

    /// The sums of two rows, side by side.
    #[inline(always)]
    fn two_sums(&self, first: (&[u32], &[T]), second: (&[u32], &[T])) -> [Sum<T>; 2] {
        let common = first.0.len().min(second.0.len());
        let (k, w) = (&first.0[..common], &first.1[..common]);
        let (l, v) = (&second.0[..common], &second.1[..common]);
        let (mut one, mut two) = (Sum::default(), Sum::default());
        for at in 0..common {
            one = one.plus(w[at], self.lanes(k[at]));
            two = two.plus(v[at], self.lanes(l[at]));
        }
        for at in common..first.0.len() {
            one = one.plus(first.1[at], self.lanes(first.0[at]));
        }
        for at in common..second.0.len() {
            two = two.plus(second.1[at], self.lanes(second.0[at]));
        }
        [one, two]
    }

    /// The block of a coefficient; zeros where it is not kept.
    #[inline(always)]
    fn lanes(&self, coefficient: u32) -> &[T; LANES] {
        let place = self.place.get(coefficient as usize).copied().unwrap_or(0);
        &self.blocks[place as usize].0
    }
}

/// A sum of blocks: eight numbers in vectors and the ninth. Arrays are passed by value, so that they stay in registers. One array of sixteen in memory took six times as long.
#[derive(Clone, Copy, Default)]
struct Sum<T>([T; 8], T);

impl<T: Number> Sum<T> {
    #[inline(always)]
    fn plus(self, weight: T, block: &[T; LANES]) -> Self {
        let Self(mut lanes, mut last) = self;
        for (sum, x) in lanes.iter_mut().zip(block) {
            *sum += weight * *x;
        }
        last += weight * block[8];
        Self(lanes, last)
    }

    #[inline(always)]
    fn block(self, matrix: &WaveletMatrix<T>) -> Mat3 {
        let [a, b, c, d, e, f, g, h] = self.0;
        matrix.block_of(&[a, b, c, d, e, f, g, h, self.1])
    }
}

/// The blocks of many rows, with the vector instructions of the machine.
struct BlocksOfRows<'a, T> {
    reader: &'a BlockReader<T>,
    matrix: &'a WaveletMatrix<T>,
    table: &'a RowTable<T>,
    rows: &'a [u32],
    out: &'a mut Vec<Mat3>,
}

impl<T: Number> WithSimd for BlocksOfRows<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let (pairs, last) = self.rows.as_chunks::<2>();
        let row = |row: u32| self.table.row(row as usize);
        for &[one, two] in pairs {
            let sums = self.reader.two_sums(row(one), row(two));
            self.out.extend(sums.map(|sum| sum.block(self.matrix)));
        }
        for &one in last {
            self.out.push(self.reader.sum(row(one)).block(self.matrix));
        }
    }
}
