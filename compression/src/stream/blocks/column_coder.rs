//! Codes the blocks of one stage, a column at a time: which are kept, and their numbers. Encoder and decoder share this code.
//!
//! Each probability belongs to a context: magnitudes around the block, in powers of two. The errors of earlier columns at the same row are part of the context, which
//! saves four percent. Other predictors (least mean squares, the best of four) saved less than they cost in time.

use super::level_blocks::{Column, LevelBlocks};
use super::prediction::{BlockPrediction, Context, FRACTION_BITS, ReferenceBlocks};
use crate::stream::coder::{AdaptiveBit, BinaryCoder, IntegerModel};
use crate::stream::plan::{Plan, Stage};

/// Context classes of the bit that says whether a block is kept: weights in earlier columns, in coarser rows, in sibling rows.
const EARLIER_CLASSES: usize = 9;
const COARSER_CLASSES: usize = 7;
const SIBLING_CLASSES: usize = 7;
/// Context classes of numbers: the size of the predicted number, the errors around the block, the recent errors in the block, and whether the number is on the diagonal.
const PREDICTION_CLASSES: usize = 7;
const ERROR_CLASSES: usize = 10;
const RECENT_ERROR_CLASSES: usize = 6;
const DIAGONAL_CLASSES: usize = 2;

/// Adaptive models and predictions of one stage.
#[derive(Debug)]
pub(in crate::stream) struct ColumnCoder {
    stage: Stage,
    block: usize,
    prediction: BlockPrediction,
    significance: Vec<AdaptiveBit>,
    numbers: Vec<IntegerModel>,
    values: Vec<i32>,
    preview_shift: u32,
}

impl ColumnCoder {
    /// Memory of the models, bytes. What grows with the rows is small compared with the transform.
    pub const BYTES: u64 = (PREDICTION_CLASSES
        * ERROR_CLASSES
        * RECENT_ERROR_CLASSES
        * DIAGONAL_CLASSES
        * size_of::<IntegerModel>()
        + EARLIER_CLASSES * COARSER_CLASSES * SIBLING_CLASSES * size_of::<AdaptiveBit>())
        as u64;

    /// Models in their initial state.
    pub fn new(plan: &Plan, stage: Stage) -> Self {
        let block = plan.block();
        Self {
            stage,
            block,
            prediction: BlockPrediction::new(plan, stage),
            significance: vec![
                AdaptiveBit::default();
                EARLIER_CLASSES * COARSER_CLASSES * SIBLING_CLASSES
            ],
            numbers: vec![
                IntegerModel::default();
                PREDICTION_CLASSES
                    * ERROR_CLASSES
                    * RECENT_ERROR_CLASSES
                    * DIAGONAL_CLASSES
            ],
            values: vec![0; block],
            preview_shift: plan.preview_shift(),
        }
    }

    /// Codes the next column and appends it to `coded`. The encoder passes its blocks as `source`, the decoder none.
    ///
    /// Cost: about 2 ns for each row, and 40 ns for each kept number.
    pub fn code<C: BinaryCoder>(
        &mut self,
        coder: &mut C,
        plan: &Plan,
        source: Column<'_>,
        reference: ReferenceBlocks<'_>,
        coded: &mut LevelBlocks,
    ) {
        let column = coded.columns();
        self.prediction
            .start_column(plan, column, reference.coarser, coded);
        let refined = match self.stage {
            Stage::Level(0) => reference.preview,
            _ => None,
        };
        let mut coarse = refined.map(|preview| preview.column(column));
        let is_base = matches!(self.stage, Stage::Preview | Stage::Level(0));
        let mut source = source.peekable();
        for row in 0..self.prediction.rows() {
            let context = self.prediction.context(row);
            let block = source.next_if(|block| block.row as usize == row);
            // all blocks of the base are kept
            let preview = coarse.as_mut().and_then(Iterator::next);
            if !is_base
                && !coder.code(
                    block.is_some(),
                    &mut self.significance[significance_class(&context)],
                )
            {
                continue;
            }
            match block {
                Some(block) => self.values.copy_from_slice(block.values),
                None => self.values.fill(0),
            }
            let error = self.code_block(coder, row, &context, preview.map(|block| block.values));
            self.prediction.record(row, &self.values, error);
            coded.push(row as u32, &self.values, error);
        }
        coded.end_column();
        self.prediction
            .finish_column(plan, column, reference.coarser, coded);
    }

    /// Codes the numbers of one block, each as its difference from the prediction. Returns the sum of the absolute differences.
    fn code_block<C: BinaryCoder>(
        &mut self,
        coder: &mut C,
        row: usize,
        context: &Context,
        preview: Option<&[i32]>,
    ) -> u32 {
        let mut sum = 0_u32;
        let mut recent_error = 0_u32;
        let errors = (context.coarser >> 2).saturating_add(context.errors);
        let errors = bit_length_class(errors.saturating_mul(2) / self.block as u32, ERROR_CLASSES);
        let predicted = self.prediction.predicted(row);
        for (k, (value, &predicted)) in self.values.iter_mut().zip(predicted).enumerate() {
            let mut nearest = predicted.saturating_add(1 << (FRACTION_BITS - 1)) >> FRACTION_BITS;
            if let Some(&preview) = preview.and_then(|preview| preview.get(k)) {
                let half = 1 << (self.preview_shift - 1);
                let middle = preview.wrapping_shl(self.preview_shift);
                nearest =
                    nearest.clamp(middle.saturating_sub(half), middle.saturating_add(half - 1));
            }
            let size = bit_length_class(
                predicted.unsigned_abs() >> (FRACTION_BITS - 2),
                PREDICTION_CLASSES,
            );
            let class = (size * ERROR_CLASSES + errors) * RECENT_ERROR_CLASSES
                + bit_length_class(recent_error, RECENT_ERROR_CLASSES);
            let is_diagonal = self.block == 9 && k.is_multiple_of(4);
            let model = &mut self.numbers[class * DIAGONAL_CLASSES + usize::from(is_diagonal)];
            let sign = sign_class(predicted.saturating_sub(nearest << FRACTION_BITS));
            let residual = model.code(coder, value.wrapping_sub(nearest), sign);
            *value = nearest.wrapping_add(residual);
            let error = residual.unsigned_abs();
            recent_error = recent_error.saturating_add(error.saturating_mul(2));
            recent_error = recent_error.saturating_add(1) / 2;
            sum = sum.saturating_add(error);
        }
        sum
    }
}

/// Context of the sign of a difference: whether the prediction lies below, near or above its nearest integer.
fn sign_class(remainder: i32) -> usize {
    match remainder {
        ..=-2 => 0,
        -1..=1 => 1,
        2.. => 2,
    }
}

fn significance_class(context: &Context) -> usize {
    let earlier = bit_length_class(context.earlier, EARLIER_CLASSES);
    let coarser = bit_length_class(context.coarser, COARSER_CLASSES);
    (earlier * COARSER_CLASSES + coarser) * SIBLING_CLASSES
        + bit_length_class(context.siblings, SIBLING_CLASSES)
}

/// The number of bits of `x`, at most `classes - 1`.
fn bit_length_class(x: u32, classes: usize) -> usize {
    ((u32::BITS - x.leading_zeros()) as usize).min(classes - 1)
}
