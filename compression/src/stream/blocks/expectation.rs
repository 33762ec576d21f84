//! What is expected of a block before it is coded: its numbers, and how far off such expectations have been around it.

use super::level_blocks::{LevelBlocks, weight_of};
use super::neighbours::{RowNeighbours, WHOLE};
use crate::stream::plan::{Plan, Stage};

/// Bits behind the point of an expected number.
pub(in crate::stream) const FRACTION: u32 = 4;
/// Bits behind the point of a quotient of amplitudes.
const QUOTIENT: u32 = 16;
/// Amplitudes of earlier columns count at most this often.
const LARGEST_QUOTIENT: f64 = 16.0;
/// The part of one column in an expected number stays within this, so that eight of them fit.
const LARGEST_PART: i64 = 1 << 27;

/// Blocks that were coded before.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::stream) struct KnownBlocks<'a> {
    /// The preview of the base.
    pub preview: Option<&'a LevelBlocks>,
    /// First row and blocks of each coarser level.
    pub coarser: &'a [(usize, LevelBlocks)],
}

/// Sums of magnitudes around a block.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Surroundings {
    /// Weights of the same row in earlier columns.
    pub earlier: u32,
    /// Weights of the two coarser rows in the same column.
    pub coarser: u32,
    /// Weights of the rows beside in the same column.
    pub beside: u32,
    /// Errors of the expectations there and in the earlier columns.
    pub errors: u32,
}

/// Weight and error of a block.
#[derive(Debug, Clone, Copy, Default)]
struct Size {
    weight: u32,
    error: u32,
}

/// Expectations of one column at a time, by row of one level.
#[derive(Debug)]
pub(super) struct Expectation {
    stage: Stage,
    block: usize,
    rows: RowNeighbours,
    numbers: Vec<i32>,
    /// Weighted sums over the earlier columns.
    earlier: Vec<Size>,
    /// Of the column in work, as far as it is coded.
    own: Vec<Size>,
    /// Weights of the column in work, by row of all coarser levels.
    coarser: Vec<u32>,
}

impl Expectation {
    /// Without a column.
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
            numbers: vec![0; block * rows.len()],
            earlier: vec![Size::default(); rows.len()],
            own: vec![Size::default(); rows.len()],
            coarser: vec![0; rows.start],
        }
    }

    /// Rows of the level.
    pub fn rows(&self) -> usize {
        self.own.len()
    }

    /// Expects the interpolation of the earlier columns, in steps of `column`. Cost: the kept blocks of these columns.
    pub fn open(
        &mut self,
        plan: &Plan,
        column: usize,
        coarser: &[(usize, LevelBlocks)],
        done: &LevelBlocks,
    ) {
        for (first, level) in coarser {
            for block in level.column(column) {
                self.coarser[first + block.row as usize] = block.weight;
            }
        }
        for &(other, share) in plan.earlier(self.stage).of(column) {
            let factor = quotient(plan, other as usize, column) * share / WHOLE;
            let share = share.unsigned_abs() as u32;
            for block in done.column(other as usize) {
                let row = block.row as usize;
                let sums = &mut self.numbers[row * self.block..(row + 1) * self.block];
                for (sum, &value) in sums.iter_mut().zip(block.values) {
                    let part = (i64::from(value) * factor) >> (QUOTIENT - FRACTION);
                    *sum += part.clamp(-LARGEST_PART, LARGEST_PART) as i32;
                }
                let size = &mut self.earlier[row];
                size.weight = size
                    .weight
                    .saturating_add(block.weight.saturating_mul(share));
                size.error = size.error.saturating_add(block.error.saturating_mul(share));
            }
        }
    }

    /// Forgets what belongs to `column`, which is the last one of `done`.
    pub fn close(
        &mut self,
        plan: &Plan,
        column: usize,
        coarser: &[(usize, LevelBlocks)],
        done: &LevelBlocks,
    ) {
        for (first, level) in coarser {
            for block in level.column(column) {
                self.coarser[first + block.row as usize] = 0;
            }
        }
        for &(other, _) in plan.earlier(self.stage).of(column) {
            for block in done.column(other as usize) {
                let row = block.row as usize;
                self.numbers[row * self.block..(row + 1) * self.block].fill(0);
                self.earlier[row] = Size::default();
            }
        }
        for block in done.column(column) {
            self.own[block.row as usize] = Size::default();
        }
    }

    /// The expected numbers of a block, with [`FRACTION`] bits behind the point.
    pub fn numbers(&self, row: usize) -> &[i32] {
        &self.numbers[row * self.block..(row + 1) * self.block]
    }

    /// What is around a block.
    pub fn around(&self, row: usize) -> Surroundings {
        let mut found = Surroundings {
            earlier: self.earlier[row].weight >> 3,
            errors: self.earlier[row].error >> 2,
            ..Surroundings::default()
        };
        for &parent in &self.rows.parents[row] {
            let weight = self.coarser.get(parent as usize).copied().unwrap_or(0);
            found.coarser = found.coarser.saturating_add(weight);
        }
        for &sibling in &self.rows.siblings[row] {
            let size = self.own.get(sibling as usize).copied().unwrap_or_default();
            found.beside = found.beside.saturating_add(size.weight);
            found.errors = found.errors.saturating_add(size.error);
        }
        found
    }

    /// Takes a block that is coded, with the sum of the errors of its expectations.
    pub fn learn(&mut self, row: usize, values: &[i32], error: u32) {
        let weight = weight_of(values);
        self.own[row] = Size { weight, error };
    }
}

/// The amplitude of an earlier column over that of this one, in parts of 2^16.
fn quotient(plan: &Plan, other: usize, column: usize) -> i64 {
    let of = |c: usize| f64::from(plan.header.amplitudes.get(c).copied().unwrap_or(0.0));
    ((of(other) / of(column)).min(LARGEST_QUOTIENT) * f64::from(1 << QUOTIENT)) as i64
}
