//! Quantised blocks, what is expected of them, and how they are coded.

mod column_coder;
mod expectation;
mod level_blocks;
mod neighbours;
mod quantise;

pub(super) use column_coder::ColumnCoder;
pub(super) use expectation::KnownBlocks;
pub(super) use level_blocks::{Column, LevelBlocks};
pub(super) use neighbours::{EarlierColumns, Interpolation, WHOLE};
pub(super) use quantise::{amplitudes, preview, quantised};
