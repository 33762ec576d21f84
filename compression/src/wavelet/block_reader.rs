//! Many blocks of one column, as a capacitance matrix needs them.

use pliant_core::math::Mat3;
use pliant_core::simd::arch;
use pulp::{Simd, WithSimd};

use super::matrix::WaveletMatrix;
use crate::number::Number;
use crate::transform::RowTable;

/// Numbers of a laid out block: nine and padding, so that a block is one aligned cache line in single precision.
const LANES: usize = 16;
/// Rows that are summed side by side: their sums do not wait for each other.
const SIDE_BY_SIDE: usize = 4;

/// A block and its padding.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Lanes<T>([T; LANES]);

/// Reads many blocks of one column: the column is laid out once, so that each coefficient is found at once.
///
/// Coefficients that are not kept are read as a block of zeros, because a wrongly predicted branch costs more than its sum. The bits are those of [`WaveletMatrix::block`].
#[derive(Debug, Clone)]
pub struct BlockReader<T = f32> {
    /// Place of each row in `blocks`; zero where it is not kept.
    place: Vec<u32>,
    /// Rows with a place.
    rows: Vec<u32>,
    /// Zeros, and behind them the kept blocks.
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
    /// Lays out `column` of `matrix`; the reader then belongs to it. Cost: a copy of its kept blocks.
    pub fn open(&mut self, matrix: &WaveletMatrix<T>, column: u32) {
        for row in self.rows.drain(..) {
            self.place[row as usize] = 0;
        }
        self.place.resize(self.place.len().max(matrix.rows()), 0);
        let (kept, blocks) = matrix.column(column as usize);
        let numbers = matrix.size() * matrix.size();
        self.blocks.truncate(1);
        for (&row, block) in kept.iter().zip(blocks.chunks_exact(numbers)) {
            self.place[row as usize] = self.blocks.len() as u32;
            let mut lanes = [T::default(); LANES];
            lanes[..numbers].copy_from_slice(block);
            self.blocks.push(Lanes(lanes));
        }
        self.rows.extend_from_slice(kept);
    }

    /// The block of `row` in the column that is open; `matrix` is the one that it was opened with. Zero where none is. Cost: one look-up for each of about 50 coefficients.
    pub fn block(&self, matrix: &WaveletMatrix<T>, row: usize) -> Mat3 {
        let [sum] = self.sums([matrix.table().row(row)]);
        matrix.block_of(&sum)
    }

    /// Writes the blocks of `rows` in the column that is open to `out`, as [`Self::block`] does one by one. Cost: 20 to 40 ns a block.
    pub fn blocks(&self, matrix: &WaveletMatrix<T>, rows: &[u32], out: &mut Vec<Mat3>) {
        out.clear();
        let table = matrix.table();
        arch().dispatch(ManyRows {
            reader: self,
            matrix,
            table,
            rows,
            out,
        });
    }

    /// `Σ weight · block` for several rows, each in the order of its coefficients.
    #[inline(always)]
    fn sums<const N: usize>(&self, rows: [(&[u32], &[T]); N]) -> [[T; LANES]; N] {
        let mut sums = [[T::default(); LANES]; N];
        let common = rows.iter().map(|row| row.0.len()).min().unwrap_or(0);
        let begun = rows.map(|(k, w)| (&k[..common], &w[..common]));
        for at in 0..common {
            for (sum, (k, w)) in sums.iter_mut().zip(&begun) {
                self.add(k[at], w[at], sum);
            }
        }
        for (sum, (k, w)) in sums.iter_mut().zip(rows) {
            for (&k, &w) in k[common..].iter().zip(&w[common..]) {
                self.add(k, w, sum);
            }
        }
        sums
    }

    #[inline(always)]
    fn add(&self, coefficient: u32, weight: T, sum: &mut [T; LANES]) {
        let place = self.place.get(coefficient as usize).copied().unwrap_or(0);
        if let Some(block) = self.blocks.get(place as usize) {
            for (s, x) in sum.iter_mut().zip(&block.0) {
                *s += weight * *x;
            }
        }
    }
}

/// The blocks of many rows, with the vector instructions of the machine.
struct ManyRows<'a, T> {
    reader: &'a BlockReader<T>,
    matrix: &'a WaveletMatrix<T>,
    table: &'a RowTable<T>,
    rows: &'a [u32],
    out: &'a mut Vec<Mat3>,
}

impl<T: Number> WithSimd for ManyRows<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let (groups, last) = self.rows.as_chunks::<SIDE_BY_SIDE>();
        let row = |row: u32| self.table.row(row as usize);
        for group in groups {
            for sum in self.reader.sums(group.map(row)) {
                self.out.push(self.matrix.block_of(&sum));
            }
        }
        for &one in last {
            let [sum] = self.reader.sums([row(one)]);
            self.out.push(self.matrix.block_of(&sum));
        }
    }
}
