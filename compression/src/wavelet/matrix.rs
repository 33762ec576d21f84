//! The compressed matrix: columns, their sums, and single blocks.

use std::sync::Arc;

use pliant_core::math::{Mat3, Vec3};
use pliant_core::simd::arch;
use pulp::{Simd, WithSimd};

use super::field::CoefficientField;
use crate::number::Number;
use crate::transform::{RowTable, WaveletTransform};

/// Numbers behind the last block, so that blocks are read four lanes at a time.
const PADDING: usize = 4;

/// Columns of blocks as wavelet coefficients. A column has its kept rows in ascending order, and so by level, with their blocks.
///
/// Memory: 40 bytes a kept block in single precision. A sum of columns costs one block product for each kept block, and one inverse transform.
#[derive(Debug, Clone, PartialEq)]
pub struct WaveletMatrix<T = f32> {
    transform: Arc<WaveletTransform>,
    table: Arc<RowTable<T>>,
    size: usize,
    /// First block of each column, and the number of blocks.
    starts: Vec<usize>,
    rows: Vec<u32>,
    /// `size²` numbers a block, block column by block column, and the padding.
    blocks: Vec<T>,
}

impl<T: Number> WaveletMatrix<T> {
    /// A matrix without columns.
    pub(crate) fn empty(transform: &Arc<WaveletTransform>, size: usize) -> Self {
        let table = Arc::new(RowTable::new(transform));
        Self::with_table(transform, &table, size)
    }

    /// A matrix of the same rows without columns, which shares the transform with this one.
    pub(super) fn without_columns(&self) -> Self {
        Self::with_table(&self.transform, &self.table, self.size)
    }

    fn with_table(
        transform: &Arc<WaveletTransform>,
        table: &Arc<RowTable<T>>,
        size: usize,
    ) -> Self {
        Self {
            transform: Arc::clone(transform),
            table: Arc::clone(table),
            size,
            starts: vec![0],
            rows: Vec::new(),
            blocks: vec![T::default(); PADDING],
        }
    }

    /// Appends a column.
    pub(crate) fn push(&mut self, rows: &[u32], blocks: &[T]) {
        self.rows.extend_from_slice(rows);
        self.blocks.truncate(self.blocks.len() - PADDING);
        self.blocks.extend_from_slice(blocks);
        self.blocks.extend([T::default(); PADDING]);
        self.starts.push(self.rows.len());
    }

    /// Rows of the matrix, in the order of the domain.
    pub fn rows(&self) -> usize {
        self.transform.domain().rows()
    }

    /// Block columns.
    pub fn columns(&self) -> usize {
        self.starts.len() - 1
    }

    /// Rows and columns of a block.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The transform of the rows.
    pub fn transform(&self) -> &Arc<WaveletTransform> {
        &self.transform
    }

    /// Blocks that are kept.
    pub fn kept_blocks(&self) -> usize {
        self.rows.len()
    }

    /// Kept blocks of each level, coarse first.
    pub fn kept_of_level(&self) -> Vec<usize> {
        let domain = self.transform.domain();
        let mut kept = vec![0; domain.finest() + 1];
        for &row in &self.rows {
            kept[domain.level_of_row(row as usize)] += 1;
        }
        kept
    }

    /// Bytes of blocks, indices and rows of the inverse transform.
    pub fn bytes(&self) -> usize {
        self.column_bytes() + self.table.bytes()
    }

    /// Bytes of blocks and indices, which depend on the threshold.
    pub fn column_bytes(&self) -> usize {
        size_of_val(&self.blocks[..]) + size_of_val(&self.rows[..]) + size_of_val(&self.starts[..])
    }

    /// Writes the values of a column at all rows to `values`, `size²` numbers each. Cost: an inverse transform.
    pub(crate) fn expand_column(&self, column: usize, values: &mut Vec<f64>) {
        let block = self.size * self.size;
        values.clear();
        values.resize(block * self.rows(), 0.0);
        let (rows, blocks) = self.column(column);
        for (&row, numbers) in rows.iter().zip(blocks.chunks_exact(block)) {
            let out = &mut values[row as usize * block..(row as usize + 1) * block];
            for (out, x) in out.iter_mut().zip(numbers) {
                *out = x.to_f64();
            }
        }
        self.transform.inverse(values, block);
    }

    /// Kept rows and blocks of a column.
    pub fn column(&self, column: usize) -> (&[u32], &[T]) {
        let range = self.starts[column]..self.starts[column + 1];
        let block = self.size * self.size;
        let blocks = &self.blocks[range.start * block..range.end * block];
        (&self.rows[range], blocks)
    }

    /// Adds columns times vectors (for a size of 1 the first component) to the coefficients of `level` and coarser ones.
    ///
    /// Each result is one sum in the order of `factors`.
    pub fn add_columns(
        &self,
        factors: &[(u32, Vec3)],
        level: usize,
        field: &mut CoefficientField<T>,
    ) {
        let end_row = self.transform.domain().rows_to(level);
        let finest = end_row == self.rows();
        let arch = arch();
        for &(column, factor) in factors {
            let range = self.starts[column as usize]..self.starts[column as usize + 1];
            let mut rows = &self.rows[range.clone()];
            if !finest {
                rows = &rows[..rows.partition_point(|&row| (row as usize) < end_row)];
            }
            let coefficients = &mut field.coefficients[..];
            if self.size == 3 {
                let factor = [0, 1, 2].map(|axis| T::from_f64(factor[axis]));
                let blocks = &self.blocks[9 * range.start..];
                arch.dispatch(AddVectors {
                    rows,
                    blocks,
                    factor,
                    coefficients,
                });
            } else {
                let factor = T::from_f64(factor.x);
                for (&row, &value) in rows.iter().zip(&self.blocks[range.start..]) {
                    coefficients[row as usize][0] += value * factor;
                }
            }
        }
    }

    /// Adds columns times vectors to the coefficients of some rows: that of row `k` is `sums[places[k]]`, and a row without one is skipped. The bits of a coefficient are those of
    /// [`Self::add_columns`].
    pub(super) fn add_columns_at(
        &self,
        factors: &[(u32, Vec3)],
        places: &[u32],
        sums: &mut [[T; 4]],
    ) {
        let arch = arch();
        for &(column, factor) in factors {
            let range = self.starts[column as usize]..self.starts[column as usize + 1];
            let rows = &self.rows[range.clone()];
            let sums = &mut sums[..];
            if self.size == 3 {
                let factor = [0, 1, 2].map(|axis| T::from_f64(factor[axis]));
                let blocks = &self.blocks[9 * range.start..];
                arch.dispatch(AddSelected {
                    rows,
                    places,
                    blocks,
                    factor,
                    sums,
                });
            } else {
                let factor = T::from_f64(factor.x);
                for (&row, &value) in rows.iter().zip(&self.blocks[range.start..]) {
                    let Some(&place) = places.get(row as usize) else {
                        continue;
                    };
                    if let Some(sum) = sums.get_mut(place as usize) {
                        sum[0] += value * factor;
                    }
                }
            }
        }
    }

    /// Values of the sum at all rows of `level` and coarser ones; see [`WaveletTransform::inverse_field`] for what they mean on coarse levels.
    pub fn reconstruct(&self, level: usize, field: &mut CoefficientField<T>) {
        let rows = self.transform.domain().rows_to(level);
        field.values[..rows].copy_from_slice(&field.coefficients[..rows]);
        self.transform.inverse_field(&mut field.values, level);
    }

    /// Sets `field` to the sum of columns times vectors at all rows, `Σ A_j f_j` over the pairs `(j, f_j)` of `factors`: [`Self::add_columns`] and [`Self::reconstruct`] of the finest level.
    pub fn sum_columns(&self, factors: &[(u32, Vec3)], field: &mut CoefficientField<T>) {
        let finest = self.transform.domain().finest();
        field.clear(self.rows());
        self.add_columns(factors, finest, field);
        self.reconstruct(finest, field);
    }

    /// The value of the sum at one row, without a reconstruction. Cost: about 50 coefficients with linear wavelets.
    pub fn value_at(&self, row: usize, field: &CoefficientField<T>) -> Vec3 {
        let (coefficients, weights) = self.table.row(row);
        let mut sum = Vec3::zeros();
        for (&k, &weight) in coefficients.iter().zip(weights) {
            sum += field.coefficient(k as usize) * weight.to_f64();
        }
        sum
    }

    /// The block of `row` in `column`. Cost: a search in the column for each of about 50 coefficients; [`BlockReader`](super::BlockReader) is faster for the same rows of many columns.
    pub fn block(&self, row: usize, column: usize) -> Mat3 {
        let (rows, blocks) = self.column(column);
        let (coefficients, weights) = self.table.row(row);
        let mut sum = [T::default(); 9];
        let mut from = 0;
        for (&k, &weight) in coefficients.iter().zip(weights) {
            from += gallop(&rows[from..], k);
            if rows.get(from) == Some(&k) {
                self.add_block(blocks, from, weight, &mut sum);
                from += 1;
            }
        }
        self.block_of(&sum)
    }

    /// Adds `weight` times the block `place` of a column.
    #[inline(always)]
    fn add_block(&self, blocks: &[T], place: usize, weight: T, sum: &mut [T; 9]) {
        if self.size == 3 {
            if let Some(block) = blocks.as_chunks::<9>().0.get(place) {
                for (s, x) in sum.iter_mut().zip(block) {
                    *s += weight * *x;
                }
            }
        } else {
            sum[0] += weight * blocks[place];
        }
    }

    /// A block from its first nine numbers, or from the first one.
    #[inline(always)]
    pub(super) fn block_of(&self, sum: &[T]) -> Mat3 {
        match sum.first_chunk::<9>() {
            Some(sum) if self.size == 3 => Mat3::from_column_slice(&sum.map(T::to_f64)),
            _ => Mat3::from_diagonal_element(sum.first().map_or(0.0, |x| x.to_f64())),
        }
    }
}

/// Position of the first entry that is not below `key`.
#[inline(always)]
fn gallop(rows: &[u32], key: u32) -> usize {
    let mut step = 1;
    while step < rows.len() && rows[step] < key {
        step *= 2;
    }
    let begin = step / 2;
    let end = rows.len().min(step + 1);
    begin.min(end) + rows[begin.min(end)..end].partition_point(|&row| row < key)
}

/// `coefficients[row] += block · factor` for each block.
struct AddVectors<'a, T> {
    rows: &'a [u32],
    blocks: &'a [T],
    factor: [T; 3],
    coefficients: &'a mut [[T; 4]],
}

impl<T: Number> WithSimd for AddVectors<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let mut blocks = self.blocks;
        for &row in self.rows {
            let (Some(block), Some(sum)) = (
                blocks.first_chunk::<10>(),
                self.coefficients.get_mut(row as usize),
            ) else {
                return;
            };
            add_product(block, self.factor, sum);
            blocks = &blocks[9..];
        }
    }
}

/// `sums[places[row]] += block · factor` for each block whose row has a place.
struct AddSelected<'a, T> {
    rows: &'a [u32],
    places: &'a [u32],
    blocks: &'a [T],
    factor: [T; 3],
    sums: &'a mut [[T; 4]],
}

impl<T: Number> WithSimd for AddSelected<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for (k, &row) in self.rows.iter().enumerate() {
            let Some(&place) = self.places.get(row as usize) else {
                continue;
            };
            let Some(sum) = self.sums.get_mut(place as usize) else {
                continue;
            };
            let Some(block) = self.blocks[9 * k..].first_chunk::<10>() else {
                return;
            };
            add_product(block, self.factor, sum);
        }
    }
}

/// `sum += block · factor`. The fourth lane reads the next column, the next block or the padding, and is not used. A function of its own: the compiler then knows that `sum` is not a part of
/// `block`, and uses vector instructions (twice as fast in `pliant bench gf-sum-wavelet`).
#[inline(always)]
fn add_product<T: Number>(block: &[T; 10], [x, y, z]: [T; 3], sum: &mut [T; 4]) {
    for (lane, sum) in sum.iter_mut().enumerate() {
        let first = block[lane].mul_add(x, *sum);
        let second = block[3 + lane].mul_add(y, first);
        *sum = block[6 + lane].mul_add(z, second);
    }
}
