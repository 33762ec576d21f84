//! The body-centred cubic lattice on which inside and outside are sampled: corners and centres of cubic cells.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::math::Vec3;
use pliant_core::math::bounds::Aabb;
use rayon::prelude::*;

/// Cells along the edge of a block.
pub(crate) const BLOCK_CELLS: i64 = 4;
/// Blocks that are mapped in parallel before their results are consumed.
const BLOCKS_PER_BATCH: usize = 512;
/// Cells of empty space on each side of the box.
const MARGIN_CELLS: f64 = 3.0;
/// Offset of the box in its cell. Its components are irregular, so that lattice lines do not lie in faces of axis-aligned models.
const BOX_OFFSET: [f64; 3] = [0.1317, 0.2713, 0.3911];
/// A lattice of `cells` cubes with as many corners (the lowest ones of each cube) as centres.
///
/// Points have doubled coordinates, even for corners and odd for centres, and numbers below [`Grid::point_count`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Grid {
    origin: Vec3,
    /// edge of a cell
    pub cell: f64,
    pub cells: [usize; 3],
}

impl Grid {
    /// `longest` cells along the longest side of `bounds`, with a margin around.
    pub fn new(bounds: &Aabb, longest: usize) -> Self {
        let size = bounds.size();
        let cell = size.max() / longest as f64;
        let cells = [size.x, size.y, size.z]
            .map(|side| ((side / cell).ceil() + 2.0 * MARGIN_CELLS + 1.0) as usize);
        let origin = bounds.min - (Vec3::from(BOX_OFFSET).add_scalar(MARGIN_CELLS)) * cell;
        Self {
            origin,
            cell,
            cells,
        }
    }

    pub fn cell_count(&self) -> usize {
        self.cells.iter().product()
    }

    pub fn point_count(&self) -> usize {
        2 * self.cell_count()
    }

    /// Cell of a number below [`Grid::cell_count`].
    pub fn cell_at(&self, number: usize) -> [i64; 3] {
        let [nx, ny, _] = self.cells;
        [number % nx, (number / nx) % ny, number / (nx * ny)].map(|i| i as i64)
    }

    /// Doubled coordinates of a point.
    pub fn doubled(&self, point: u32) -> [i64; 3] {
        let count = self.cell_count();
        let odd = point as usize / count;
        self.cell_at(point as usize % count)
            .map(|i| 2 * i + odd as i64)
    }

    /// Number of the point with these doubled coordinates, if there is one.
    pub fn number(&self, doubled: [i64; 3]) -> Option<u32> {
        let odd = doubled[0] & 1;
        let [i, j, k] = doubled.map(|x| x >> 1);
        let [nx, ny, nz] = self.cells.map(|n| n as i64);
        let is_in = |x: i64, n: i64| (0..n).contains(&x);
        (is_in(i, nx) && is_in(j, ny) && is_in(k, nz))
            .then(|| (((odd * nz + k) * ny + j) * nx + i) as u32)
    }

    pub fn position(&self, doubled: [i64; 3]) -> Vec3 {
        let [x, y, z] = doubled.map(|q| q as f64 * 0.5 * self.cell);
        self.origin + Vec3::new(x, y, z)
    }

    pub fn position_of(&self, point: u32) -> Vec3 {
        self.position(self.doubled(point))
    }

    /// The cell around a position.
    pub fn cell_of(&self, position: &Vec3) -> [i64; 3] {
        let at = (position - self.origin) / self.cell;
        [at.x, at.y, at.z].map(|x| x.floor() as i64)
    }

    /// Whether a point lies on the outermost layer.
    pub fn is_border(&self, doubled: [i64; 3]) -> bool {
        (0..3).any(|a| {
            let i = doubled[a] >> 1;
            i == 0 || i + 1 == self.cells[a] as i64
        })
    }

    /// Number of blocks of [`BLOCK_CELLS`]³ cells.
    fn blocks(&self) -> usize {
        self.blocks_along().iter().product()
    }

    fn blocks_along(&self) -> [usize; 3] {
        self.cells.map(|n| n.div_ceil(BLOCK_CELLS as usize))
    }

    /// The lowest cell of a block.
    fn block_at(&self, block: usize) -> [i64; 3] {
        let [nx, ny, _] = self.blocks_along();
        [block % nx, (block / nx) % ny, block / (nx * ny)].map(|i| i as i64 * BLOCK_CELLS)
    }

    /// Maps the lowest cells of all blocks in parallel batches and passes the results to `take` in order; `share` is the part of the progress stage.
    pub fn by_blocks<T: Send>(
        &self,
        share: f64,
        progress: &Progress,
        map: impl Fn([i64; 3]) -> Vec<T> + Sync,
        mut take: impl FnMut(T),
    ) -> Result<(), Cancelled> {
        let blocks = self.blocks();
        for from in (0..blocks).step_by(BLOCKS_PER_BATCH) {
            progress.check()?;
            progress.set_fraction(share * from as f64 / blocks as f64);
            let pieces: Vec<Vec<T>> = (from..blocks.min(from + BLOCKS_PER_BATCH))
                .into_par_iter()
                .map(|b| map(self.block_at(b)))
                .collect();
            pieces.into_iter().flatten().for_each(&mut take);
        }
        Ok(())
    }

    /// The points of the block with the lowest cell `first`.
    pub fn block_points(&self, first: [i64; 3]) -> Vec<u32> {
        (0..2 * BLOCK_CELLS * BLOCK_CELLS * BLOCK_CELLS)
            .filter_map(|n| {
                let (odd, n) = (n & 1, n >> 1);
                let local = [
                    n % BLOCK_CELLS,
                    (n / BLOCK_CELLS) % BLOCK_CELLS,
                    n / (BLOCK_CELLS * BLOCK_CELLS),
                ];
                self.number([0, 1, 2].map(|a| 2 * (first[a] + local[a]) + odd))
            })
            .collect()
    }
}
