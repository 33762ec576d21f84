//! Quantised blocks, their prediction and their coding.

mod column_coder;
mod level_blocks;
mod neighbours;
mod prediction;
mod quantise;

pub(super) use column_coder::ColumnCoder;
pub(super) use level_blocks::{Column, LevelBlocks};
pub(super) use neighbours::{EarlierColumns, Interpolation, WEIGHT_SUM};
pub(super) use prediction::ReferenceBlocks;
pub(super) use quantise::{amplitudes, preview, quantise_levels};
