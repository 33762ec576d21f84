//! Voxel grids: which cells of a regular grid belong to a body.

use crate::math::Vec3;

/// A regular grid of cubic cells with a flag each.
#[derive(Debug, Clone, PartialEq)]
pub struct VoxelGrid {
    /// Smallest corner of cell (0, 0, 0), m.
    pub origin: Vec3,
    /// Edge length of a cell, m.
    pub cell: f64,
    /// Number of cells along x, y, z.
    pub dims: [usize; 3],
    /// Whether each cell is kept; x runs fastest, then y, then z.
    pub kept: Vec<bool>,
}

impl VoxelGrid {
    /// Flat index of cell `(i, j, k)`.
    pub fn index(&self, i: usize, j: usize, k: usize) -> usize {
        (k * self.dims[1] + j) * self.dims[0] + i
    }

    /// Whether cell `(i, j, k)` is kept; cells outside the grid are not.
    pub fn is_kept(&self, i: i64, j: i64, k: i64) -> bool {
        let inside = |v: i64, n: usize| v >= 0 && (v as usize) < n;
        inside(i, self.dims[0])
            && inside(j, self.dims[1])
            && inside(k, self.dims[2])
            && self.kept[self.index(i as usize, j as usize, k as usize)]
    }

    /// Number of kept cells.
    pub fn kept_count(&self) -> usize {
        self.kept.iter().filter(|&&k| k).count()
    }

    /// Kept cells in index order.
    pub fn kept_cells(&self) -> impl Iterator<Item = [usize; 3]> + '_ {
        self.kept
            .iter()
            .enumerate()
            .filter(|(_, k)| **k)
            .map(|(at, _)| {
                let i = at % self.dims[0];
                let j = (at / self.dims[0]) % self.dims[1];
                let k = at / (self.dims[0] * self.dims[1]);
                [i, j, k]
            })
    }

    /// The cell that holds `point`, which may lie outside the grid.
    pub fn cell_of(&self, point: &Vec3) -> [i64; 3] {
        let r = (point - self.origin) / self.cell;
        [r.x.floor() as i64, r.y.floor() as i64, r.z.floor() as i64]
    }
}
