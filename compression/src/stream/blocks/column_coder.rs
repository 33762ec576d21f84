//! Codes the blocks of one stage, a column at a time: which are kept, and their numbers. The same lines write and read.
//!
//! All is integer arithmetic, but for one division of two amplitudes, which IEEE 754 rounds the same everywhere.

use super::level_blocks::{ColumnBlocks, LevelBlocks};
use super::neighbours::{RowNeighbours, WHOLE};
use crate::stream::coder::{AdaptiveBit, BinaryCoder, IntegerModel};
use crate::stream::plan::{PREVIEW_SHIFT, Plan, Stage};

/// Bits behind the point of a predicted number, and of a quotient of amplitudes.
const FRACTION: u32 = 4;
const QUOTIENT: u32 = 16;
/// Amplitudes of earlier columns count at most this often.
const LARGEST_QUOTIENT: f64 = 16.0;
/// The part of one column in a prediction stays within this, so that eight of them fit.
const LARGEST_PREDICTION: i64 = 1 << 27;
/// Classes of sizes: of earlier columns, of the coarser rows, of the rows beside; of a predicted number and of what its neighbours missed.
const EARLIER: usize = 9;
const COARSER: usize = 7;
const BESIDE: usize = 7;
const SIZES: usize = 16;
/// The weight of a block that is kept, before its numbers are known.
const EE: u32 = 2;
const KEPT: u32 = u32::MAX;

/// Models and expectations of one stage.
#[derive(Debug)]
pub(in crate::stream) struct ColumnCoder {
    stage: Stage,
    block: usize,
    rows: RowNeighbours,
    masks: Vec<AdaptiveBit>,
    numbers: Vec<IntegerModel>,
    /// By row of the level, of the column in work: its numbers, what is expected, and the weight of blocks that are done.
    values: Vec<i32>,
    expected: Vec<i32>,
    errors: Vec<u32>,
    weights: Vec<u32>,
    /// By row of the level: the weights in the earlier columns.
    earlier: Vec<u32>,
    earlier_errors: Vec<u32>,
    /// By row of all coarser levels: the weights in the column in work.
    coarser: Vec<u32>,
}

impl ColumnCoder {
    /// Models that have learned nothing.
    pub fn new(plan: &Plan, stage: Stage) -> Self {
        let level = match stage {
            Stage::Preview => 0,
            Stage::Level(level) => level,
        };
        let domain = plan.header.transform.domain();
        let rows = domain.level_rows(level);
        let block = plan.block();
        Self {
            stage,
            block,
            rows: RowNeighbours::new(&plan.header.hierarchy, domain, level),
            masks: vec![AdaptiveBit::default(); EARLIER * COARSER * BESIDE],
            numbers: vec![IntegerModel::default(); 2 * SIZES * SIZES],
            values: vec![0; block * rows.len()],
            expected: vec![0; block * rows.len()],
            errors: vec![0; rows.len()],
            weights: vec![0; rows.len()],
            earlier: vec![0; rows.len()],
            earlier_errors: vec![0; rows.len()],
            coarser: vec![0; rows.start],
        }
    }

    /// Codes the next column behind those of `done`. The encoder hands over its blocks; `preview` are those of the base, `coarser` the levels before.
    pub fn code<C: BinaryCoder>(
        &mut self,
        coder: &mut C,
        plan: &Plan,
        given: Option<ColumnBlocks<'_>>,
        known: KnownBlocks<'_>,
        done: &mut LevelBlocks,
    ) {
        let column = done.columns();
        if let Some(given) = given {
            self.lay_out(given);
        }
        self.expect(plan, column, known, done);
        let preview = match self.stage {
            Stage::Level(0) => known.preview.map(|preview| preview.column(column).values),
            _ => None,
        };
        let base = matches!(self.stage, Stage::Preview | Stage::Level(0));
        for row in 0..self.weights.len() {
            let sizes = self.sizes(row);
            let kept = base || {
                let class = (bucket(self.earlier[row] >> 3, EARLIER) * COARSER
                    + bucket(sizes.coarser, COARSER))
                    * BESIDE
                    + bucket(sizes.beside, BESIDE);
                coder.code(self.weights[row] == KEPT, &mut self.masks[class])
            };
            self.weights[row] = 0;
            if kept {
                let coarse = preview.and_then(|values| values.get(row * self.block..));
                self.code_block(coder, row, sizes, coarse);
                done.push(row as u32, self.block_values(row), self.errors[row]);
                self.values[row * self.block..(row + 1) * self.block].fill(0);
            }
        }
        done.end_column();
        self.forget(plan, column, known, done);
    }

    fn block_values(&self, row: usize) -> &[i32] {
        &self.values[row * self.block..(row + 1) * self.block]
    }

    /// The numbers of one block, each as its difference to what is expected.
    fn code_block<C: BinaryCoder>(
        &mut self,
        coder: &mut C,
        row: usize,
        sizes: Sizes,
        coarse: Option<&[i32]>,
    ) {
        let mut weight = 0_u32;
        let mut errors = 0_u32;
        let mut missed = 0_u32;
        let around = (sizes.coarser >> 2).saturating_add(sizes.errors).saturating_add(self.earlier_errors[row] >> EE) / self.block as u32;
        for k in 0..self.block {
            let expected = self.expected[row * self.block + k];
            let mut nearest = expected.saturating_add(1 << (FRACTION - 1)) >> FRACTION;
            if let Some(&coarse) = coarse.and_then(|coarse| coarse.get(k)) {
                let half = 1 << (PREVIEW_SHIFT - 1);
                let middle = coarse.wrapping_shl(PREVIEW_SHIFT);
                nearest =
                    nearest.clamp(middle.saturating_sub(half), middle.saturating_add(half - 1));
            }
            let size = bucket(expected.unsigned_abs() >> (FRACTION - 2), SIZES);
            let error = bucket(missed.saturating_mul(2).saturating_add(around), SIZES);
            let model = &mut self.numbers[(size * SIZES + error) * 2 + usize::from(self.block == 9 && k % 4 == 0)];
            let value = &mut self.values[row * self.block + k];
            let lean = expected.saturating_sub(nearest << FRACTION);
            let sign = if lean <= -2 {
                0
            } else if lean >= 2 {
                2
            } else {
                1
            };
            let rest = model.code(coder, value.wrapping_sub(nearest), sign);
            *value = nearest.wrapping_add(rest);
            missed = missed.saturating_add(rest.unsigned_abs()).saturating_add(1) / 2;
            errors = errors.saturating_add(rest.unsigned_abs());
            weight = weight.saturating_add(value.unsigned_abs());
        }
        self.errors[row] = errors;
        self.weights[row] = weight.min(KEPT - 1);
    }

    fn sizes(&self, row: usize) -> Sizes {
        let sum = |rows: &[u32], weights: &[u32]| {
            let of = |&row: &u32| weights.get(row as usize).copied().unwrap_or(0);
            rows.iter().map(of).fold(0, u32::saturating_add)
        };
        Sizes {
            coarser: sum(&self.rows.parents[row], &self.coarser),
            beside: sum(&self.rows.siblings[row], &self.weights),
            errors: sum(&self.rows.siblings[row], &self.errors),
        }
    }

    fn lay_out(&mut self, given: ColumnBlocks<'_>) {
        for (&row, values) in given.rows.iter().zip(given.values.chunks_exact(self.block)) {
            let row = row as usize;
            self.values[row * self.block..(row + 1) * self.block].copy_from_slice(values);
            self.weights[row] = KEPT;
        }
    }

    /// Expects the mean of the earlier columns, in steps of this column.
    fn expect(&mut self, plan: &Plan, column: usize, known: KnownBlocks<'_>, done: &LevelBlocks) {
        for (first, level) in known.coarser {
            let blocks = level.column(column);
            for (&row, &weight) in blocks.rows.iter().zip(blocks.weights) {
                self.coarser[first + row as usize] = weight;
            }
        }
        for &(other, share) in plan.earlier(self.stage).of(column) {
            let factor = quotient(plan, other as usize, column) * share / WHOLE;
            let blocks = done.column(other as usize);
            let values = blocks.values.chunks_exact(self.block);
            for (((&row, values), &weight), &err) in blocks.rows.iter().zip(values).zip(blocks.weights).zip(blocks.errors) {
                let row = row as usize;
                let expected = &mut self.expected[row * self.block..(row + 1) * self.block];
                for (sum, &value) in expected.iter_mut().zip(values) {
                    let part = (i64::from(value) * factor) >> (QUOTIENT - FRACTION);
                    *sum += part.clamp(-LARGEST_PREDICTION, LARGEST_PREDICTION) as i32;
                }
                let part = weight.saturating_mul(share.unsigned_abs() as u32);
                self.earlier[row] = self.earlier[row].saturating_add(part);
                self.earlier_errors[row] = self.earlier_errors[row].saturating_add(err.saturating_mul(share.unsigned_abs() as u32));
            }
        }
    }

    /// Sets back what this column has touched.
    fn forget(&mut self, plan: &Plan, column: usize, known: KnownBlocks<'_>, done: &LevelBlocks) {
        for (first, level) in known.coarser {
            for &row in level.column(column).rows {
                self.coarser[first + row as usize] = 0;
            }
        }
        for &(other, _) in plan.earlier(self.stage).of(column) {
            for &row in done.column(other as usize).rows {
                let row = row as usize;
                self.expected[row * self.block..(row + 1) * self.block].fill(0);
                self.earlier[row] = 0;
                self.earlier_errors[row] = 0;
            }
        }
        for &row in done.column(column).rows {
            self.weights[row as usize] = 0;
            self.errors[row as usize] = 0;
        }
    }
}

/// Blocks that were coded before.
#[derive(Debug, Clone, Copy)]
pub(in crate::stream) struct KnownBlocks<'a> {
    /// The preview of the base.
    pub preview: Option<&'a LevelBlocks>,
    /// First row and blocks of each coarser level.
    pub coarser: &'a [(usize, LevelBlocks)],
}

/// Sums of magnitudes around a block.
#[derive(Debug, Clone, Copy)]
struct Sizes {
    coarser: u32,
    beside: u32,
    errors: u32,
}

/// The amplitude of an earlier column over that of this one, in parts of 2^16.
fn quotient(plan: &Plan, other: usize, column: usize) -> i64 {
    let of = |c: usize| f64::from(plan.header.amplitudes.get(c).copied().unwrap_or(0.0));
    ((of(other) / of(column)).min(LARGEST_QUOTIENT) * f64::from(1 << QUOTIENT)) as i64
}

/// The number of bits of `x`, at most `classes - 1`.
fn bucket(x: u32, classes: usize) -> usize {
    ((u32::BITS - x.leading_zeros()) as usize).min(classes - 1)
}
