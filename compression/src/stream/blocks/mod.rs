//! Quantised blocks, what is expected of them, and how they are coded.

mod column_coder;
mod level_blocks;
mod neighbours;
mod quantise;

pub(super) use column_coder::{ColumnCoder, KnownBlocks};
pub(super) use level_blocks::LevelBlocks;
pub(super) use neighbours::{EarlierColumns, Interpolation, WHOLE};
pub(super) use quantise::{amplitudes, preview, quantised};
