//! The prediction of a block from blocks that are coded before it, and the errors of such predictions around it.

use super::level_blocks::{LevelBlocks, weight_of};
use super::neighbours::{RowNeighbours, WEIGHT_SUM};
use crate::stream::plan::{Plan, Stage};

/// Bits behind the point of a predicted number.
pub(in crate::stream) const FRACTION_BITS: u32 = 4;
/// Bits behind the point of a ratio of amplitudes.
const RATIO_BITS: u32 = 16;
/// Bound on the ratio of the amplitude of an earlier column to that of this one.
const MAX_AMPLITUDE_RATIO: f64 = 16.0;
/// Bound on the contribution of one column to a predicted number, so that the sum of eight fits 32 bits.
const MAX_CONTRIBUTION: i64 = 1 << 27;

/// Blocks of coarser stages, which are coded before.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::stream) struct ReferenceBlocks<'a> {
    /// The preview of the base level.
    pub preview: Option<&'a LevelBlocks>,
    /// First row and blocks of each coarser level.
    pub coarser: &'a [(usize, LevelBlocks)],
}

/// Sums of magnitudes around a block, which choose its models.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Context {
    /// Weights of the same row in earlier columns.
    pub earlier: u32,
    /// Weights of the two coarser rows in the same column.
    pub coarser: u32,
    /// Weights of sibling rows in the same column.
    pub siblings: u32,
    /// Errors of the predictions of siblings and of earlier columns.
    pub errors: u32,
}

/// Weight and error of a block.
#[derive(Debug, Clone, Copy, Default)]
struct Magnitude {
    weight: u32,
    error: u32,
}

/// Predictions of one column at a time, by row of one level.
#[derive(Debug)]
pub(super) struct BlockPrediction {
    stage: Stage,
    block: usize,
    rows: RowNeighbours,
    predicted: Vec<i32>,
    /// Weighted sums over the earlier columns.
    earlier: Vec<Magnitude>,
    /// Of the current column, as far as it is coded.
    own: Vec<Magnitude>,
    /// Weights of the current column, by row of all coarser levels.
    coarser: Vec<u32>,
}

impl BlockPrediction {
    /// No column is started.
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
            predicted: vec![0; block * rows.len()],
            earlier: vec![Magnitude::default(); rows.len()],
            own: vec![Magnitude::default(); rows.len()],
            coarser: vec![0; rows.start],
        }
    }

    /// Rows of the level.
    pub fn rows(&self) -> usize {
        self.own.len()
    }

    /// Predicts `column` by interpolation of earlier columns, in multiples of its own step. Cost: the kept blocks of these columns.
    pub fn start_column(
        &mut self,
        plan: &Plan,
        column: usize,
        coarser: &[(usize, LevelBlocks)],
        coded: &LevelBlocks,
    ) {
        for (first, level) in coarser {
            for block in level.column(column) {
                self.coarser[first + block.row as usize] = block.weight;
            }
        }
        for &(other, share) in plan.earlier(self.stage).for_column(column) {
            let factor = amplitude_ratio(plan, other as usize, column) * share / WEIGHT_SUM;
            let share = share.unsigned_abs() as u32;
            for block in coded.column(other as usize) {
                let row = block.row as usize;
                let sums = &mut self.predicted[row * self.block..(row + 1) * self.block];
                for (sum, &value) in sums.iter_mut().zip(block.values) {
                    let part = (i64::from(value) * factor) >> (RATIO_BITS - FRACTION_BITS);
                    *sum += part.clamp(-MAX_CONTRIBUTION, MAX_CONTRIBUTION) as i32;
                }
                let size = &mut self.earlier[row];
                size.weight = size
                    .weight
                    .saturating_add(block.weight.saturating_mul(share));
                size.error = size.error.saturating_add(block.error.saturating_mul(share));
            }
        }
    }

    /// Clears the sums of `column`, which is the last one of `coded`.
    pub fn finish_column(
        &mut self,
        plan: &Plan,
        column: usize,
        coarser: &[(usize, LevelBlocks)],
        coded: &LevelBlocks,
    ) {
        for (first, level) in coarser {
            for block in level.column(column) {
                self.coarser[first + block.row as usize] = 0;
            }
        }
        for &(other, _) in plan.earlier(self.stage).for_column(column) {
            for block in coded.column(other as usize) {
                let row = block.row as usize;
                self.predicted[row * self.block..(row + 1) * self.block].fill(0);
                self.earlier[row] = Magnitude::default();
            }
        }
        for block in coded.column(column) {
            self.own[block.row as usize] = Magnitude::default();
        }
    }

    /// The predicted numbers of a block, with [`FRACTION_BITS`] bits behind the point.
    pub fn predicted(&self, row: usize) -> &[i32] {
        &self.predicted[row * self.block..(row + 1) * self.block]
    }

    /// The context of a block.
    pub fn context(&self, row: usize) -> Context {
        let mut found = Context {
            earlier: self.earlier[row].weight >> 3,
            errors: self.earlier[row].error >> 2,
            ..Context::default()
        };
        for &parent in &self.rows.parents[row] {
            let weight = self.coarser.get(parent as usize).copied().unwrap_or(0);
            found.coarser = found.coarser.saturating_add(weight);
        }
        for &sibling in &self.rows.siblings[row] {
            let size = self.own.get(sibling as usize).copied().unwrap_or_default();
            found.siblings = found.siblings.saturating_add(size.weight);
            found.errors = found.errors.saturating_add(size.error);
        }
        found
    }

    /// Records a coded block, with the sum of its prediction errors.
    pub fn record(&mut self, row: usize, values: &[i32], error: u32) {
        let weight = weight_of(values);
        self.own[row] = Magnitude { weight, error };
    }
}

/// The amplitude of an earlier column over that of this one, with [`RATIO_BITS`] bits behind the point.
fn amplitude_ratio(plan: &Plan, other: usize, column: usize) -> i64 {
    let amplitude = |c: usize| f64::from(plan.header.amplitudes.get(c).copied().unwrap_or(0.0));
    ((amplitude(other) / amplitude(column)).min(MAX_AMPLITUDE_RATIO) * f64::from(1 << RATIO_BITS))
        as i64
}
