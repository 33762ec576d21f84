//! Codes the blocks of one stage, a column at a time: which are kept, and their numbers. The same lines write and read.
//!
//! Probabilities belong to classes of what is around a block, in powers of two. That the errors of earlier columns at the same row are among it saves four percent;
//! other predictors (least mean squares, the best of four) saved less than they cost in time.

use super::expectation::{Expectation, FRACTION, KnownBlocks, Surroundings};
use super::level_blocks::{Column, LevelBlocks};
use crate::stream::coder::{AdaptiveBit, BinaryCoder, IntegerModel};
use crate::stream::plan::{Plan, Stage};

/// Classes of weights that decide whether a block is kept: in earlier columns, in coarser rows, in rows beside.
const EARLIER: usize = 9;
const COARSER: usize = 7;
const BESIDE: usize = 7;
/// Classes that decide about numbers: the size of the expected number, the errors around the block, those of the block so far, and whether it is on the diagonal.
const EXPECTED: usize = 7;
const AROUND: usize = 10;
const MISSED: usize = 6;
const DIAGONAL: usize = 2;

/// Models and expectations of one stage.
#[derive(Debug)]
pub(in crate::stream) struct ColumnCoder {
    stage: Stage,
    block: usize,
    expectation: Expectation,
    masks: Vec<AdaptiveBit>,
    numbers: Vec<IntegerModel>,
    values: Vec<i32>,
    preview_shift: u32,
}

impl ColumnCoder {
    /// Memory of the models; what grows with the rows is small beside the transform.
    pub const BYTES: u64 = (EXPECTED * AROUND * MISSED * DIAGONAL * size_of::<IntegerModel>()
        + EARLIER * COARSER * BESIDE * size_of::<AdaptiveBit>()) as u64;

    /// Models that have learned nothing.
    pub fn new(plan: &Plan, stage: Stage) -> Self {
        let block = plan.block();
        Self {
            stage,
            block,
            expectation: Expectation::new(plan, stage),
            masks: vec![AdaptiveBit::default(); EARLIER * COARSER * BESIDE],
            numbers: vec![IntegerModel::default(); EXPECTED * AROUND * MISSED * DIAGONAL],
            values: vec![0; block],
            preview_shift: plan.preview_shift(),
        }
    }

    /// Codes the column behind those of `done`. The encoder hands over its blocks, the decoder none.
    ///
    /// Cost: about 2 ns for each row, and 40 ns for each kept number.
    pub fn code<C: BinaryCoder>(
        &mut self,
        coder: &mut C,
        plan: &Plan,
        given: Column<'_>,
        known: KnownBlocks<'_>,
        done: &mut LevelBlocks,
    ) {
        let column = done.columns();
        self.expectation.open(plan, column, known.coarser, done);
        let refined = match self.stage {
            Stage::Level(0) => known.preview,
            _ => None,
        };
        let mut coarse = refined.map(|preview| preview.column(column));
        let is_base = matches!(self.stage, Stage::Preview | Stage::Level(0));
        let mut given = given.peekable();
        for row in 0..self.expectation.rows() {
            let around = self.expectation.around(row);
            let here = given.next_if(|block| block.row as usize == row);
            // all blocks of the base are kept
            let preview = coarse.as_mut().and_then(Iterator::next);
            if !is_base && !coder.code(here.is_some(), &mut self.masks[mask_class(&around)]) {
                continue;
            }
            match here {
                Some(block) => self.values.copy_from_slice(block.values),
                None => self.values.fill(0),
            }
            let error = self.code_block(coder, row, &around, preview.map(|block| block.values));
            self.expectation.learn(row, &self.values, error);
            done.push(row as u32, &self.values, error);
        }
        done.end_column();
        self.expectation.close(plan, column, known.coarser, done);
    }

    /// Codes the numbers of one block, each as its difference to what is expected; the sum of the differences.
    fn code_block<C: BinaryCoder>(
        &mut self,
        coder: &mut C,
        row: usize,
        around: &Surroundings,
        preview: Option<&[i32]>,
    ) -> u32 {
        let mut sum = 0_u32;
        let mut missed = 0_u32;
        let errors = (around.coarser >> 2).saturating_add(around.errors);
        let errors = bucket(errors.saturating_mul(2) / self.block as u32, AROUND);
        let expected = self.expectation.numbers(row);
        for (k, (value, &expected)) in self.values.iter_mut().zip(expected).enumerate() {
            let mut nearest = expected.saturating_add(1 << (FRACTION - 1)) >> FRACTION;
            if let Some(&preview) = preview.and_then(|preview| preview.get(k)) {
                let half = 1 << (self.preview_shift - 1);
                let middle = preview.wrapping_shl(self.preview_shift);
                nearest =
                    nearest.clamp(middle.saturating_sub(half), middle.saturating_add(half - 1));
            }
            let size = bucket(expected.unsigned_abs() >> (FRACTION - 2), EXPECTED);
            let class = (size * AROUND + errors) * MISSED + bucket(missed, MISSED);
            let is_diagonal = self.block == 9 && k.is_multiple_of(4);
            let model = &mut self.numbers[class * DIAGONAL + usize::from(is_diagonal)];
            let sign = lean(expected.saturating_sub(nearest << FRACTION));
            let rest = model.code(coder, value.wrapping_sub(nearest), sign);
            *value = nearest.wrapping_add(rest);
            let error = rest.unsigned_abs();
            missed = missed.saturating_add(error.saturating_mul(2));
            missed = missed.saturating_add(1) / 2;
            sum = sum.saturating_add(error);
        }
        sum
    }
}

/// To which side of the nearest integer an expected number lies: below, hardly, above.
fn lean(rest: i32) -> usize {
    match rest {
        ..=-2 => 0,
        -1..=1 => 1,
        2.. => 2,
    }
}

fn mask_class(around: &Surroundings) -> usize {
    let earlier = bucket(around.earlier, EARLIER);
    let coarser = bucket(around.coarser, COARSER);
    (earlier * COARSER + coarser) * BESIDE + bucket(around.beside, BESIDE)
}

/// The number of bits of `x`, at most `classes - 1`.
fn bucket(x: u32, classes: usize) -> usize {
    ((u32::BITS - x.leading_zeros()) as usize).min(classes - 1)
}
