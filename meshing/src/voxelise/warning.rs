//! Warnings about a voxelisation.

use std::fmt;

/// A result that is allowed but changes how the body behaves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum VoxelWarning {
    /// Cells were not split, and parts of the body on both sides of a gap are connected in them.
    GapFused {
        /// Cells that hold, or share corners with, material that is not connected there.
        cells: usize,
    },
    /// Parts are only one cell across: they bend and twist too stiffly, and regions cannot follow them.
    ThinnerThanCell {
        /// Cells of such parts.
        cells: usize,
    },
    /// The cells have much more volume than the body.
    TooFat {
        /// Volume of the cells over that of the body.
        ratio: f64,
    },
}

pliant_core::error_code!(VoxelWarning);

impl fmt::Display for VoxelWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::GapFused { cells } => write!(
                f,
                "{cells} cells fuse parts on both sides of a gap that is thinner than a cell; split cells, or use smaller ones"
            ),
            Self::ThinnerThanCell { cells } => write!(
                f,
                "{cells} cells are alone across a part of the body, which bends too stiffly there; use smaller cells"
            ),
            Self::TooFat { ratio } => write!(
                f,
                "the cells are {ratio:.1} times as voluminous as the body: thin parts are too stiff in bending; use smaller cells"
            ),
        }
    }
}
