//! The input surface with its search tree.

use pliant_core::mesh::{SurfaceMesh, TriangleTree};

use super::field::grid::{BLOCK_CELLS, Grid};

/// The input surface with its search tree.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) surface: SurfaceMesh,
    pub(crate) tree: TriangleTree,
    pub(crate) diagonal: f64,
}

impl Input {
    /// Whether the input comes within `cells` cells of the block with the lowest cell `first`. May also be true for input a little farther away.
    pub(crate) fn is_near_block(&self, grid: &Grid, first: [i64; 3], cells: f64) -> bool {
        let middle = grid.position(first.map(|i| 2 * i + BLOCK_CELLS));
        let radius = (0.5 * BLOCK_CELLS as f64 * 3.0_f64.sqrt() + cells) * grid.cell;
        self.tree.closest_within(&middle, radius).is_some()
    }
}
