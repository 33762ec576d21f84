//! The input with what is asked of it.

use pliant_core::mesh::{SurfaceMesh, TriangleTree};

use super::field::grid::{BLOCK, Grid};

/// The input with what is asked of it.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) surface: SurfaceMesh,
    pub(crate) tree: TriangleTree,
    pub(crate) diagonal: f64,
}

impl Input {
    /// Whether the input comes within some cells of the block with the lowest cell `first` (or a little farther away).
    pub(crate) fn is_near_block(&self, grid: &Grid, first: [i64; 3], cells: f64) -> bool {
        let middle = grid.position(first.map(|i| 2 * i + BLOCK));
        let radius = (0.5 * BLOCK as f64 * 3.0_f64.sqrt() + cells) * grid.cell;
        self.tree.closest_within(&middle, radius).is_some()
    }
}
