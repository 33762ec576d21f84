//! How much of each cell the body fills, distributed to its corners.
//!
//! Lines along x pass through each row of cells at the points of a Fibonacci lattice (no two of them at the same y or z, so that a wall in a
//! grid plane is measured as accurately as an inclined one). Along a line, material begins and ends exactly where the surface is crossed. What lies inside
//! is distributed to the eight corners with trilinear weights, which conserves its volume and its centroid.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::mesh::{CellShare, SurfaceMesh};
use rayon::prelude::*;

use super::copies::Copies;
use super::pieces::{GRID_SHIFT, OUTSIDE, Pieces};
use crate::voxelise::grid::crossings::{Crossing, Lines};
use crate::voxelise::grid::frame::GridFrame;

/// Lines through each row of cells, and the step of the lattice they form: two neighbouring Fibonacci numbers.
const LINES_PER_ROW: usize = 34;
const LATTICE_STEP: usize = 21;
/// Share from which on a cell counts as full. The difference to 1 is more than the shift of the grid and round-off, and negligible.
const MIN_FULL_SHARE: f64 = 1.0 - 1e-5;

/// Position of line `k` in its row, cells.
fn line_position(k: usize) -> [f64; 2] {
    let at = |n: usize| ((n % LINES_PER_ROW) as f64 + 0.5) / LINES_PER_ROW as f64;
    [at(k), at(k * LATTICE_STEP)]
}

/// Shares of the cell copies that the surface cuts, by cell and copy; what is not listed is full. Lines along which the surface is open
/// are left out. `copies`: none when cells are not split.
pub(crate) fn cell_shares(
    surface: &SurfaceMesh,
    frame: &GridFrame,
    pieces: &Pieces,
    copies: Option<&Copies>,
    outward: i8,
    progress: &Progress,
) -> Result<Vec<CellShare>, Cancelled> {
    let families: Vec<Vec<Crossing>> = (0..LINES_PER_ROW)
        .map(|k| {
            let [y, z] = line_position(k);
            let lines = Lines {
                shift: [GRID_SHIFT[0], GRID_SHIFT[1] + y, GRID_SHIFT[2] + z],
                dims: frame.dims,
            };
            lines.crossings(surface, frame, 0, progress)
        })
        .collect::<Result<_, _>>()?;
    let nx = frame.dims[0];
    // cells are numbered along x first: the cut cells of a row follow each other
    let rows: Vec<&[u32]> = pieces
        .cells
        .chunk_by(|a, b| *a as usize / nx == *b as usize / nx)
        .collect();
    let found: Vec<Vec<CellShare>> = rows
        .par_iter()
        .map(|cells| {
            let row = Row {
                number: (cells[0] as usize / nx) as u32,
                cells,
                first: pieces.cells.partition_point(|c| c < &cells[0]),
                pieces,
                copies,
                outward,
            };
            row.shares(&families, nx)
        })
        .collect();
    Ok(found.into_iter().flatten().collect())
}

/// The cut cells of a row.
struct Row<'a> {
    number: u32,
    cells: &'a [u32],
    /// index of the first in the lists of pieces
    first: usize,
    pieces: &'a Pieces,
    copies: Option<&'a Copies>,
    outward: i8,
}

impl Row<'_> {
    fn shares(&self, families: &[Vec<Crossing>], nx: usize) -> Vec<CellShare> {
        let mut sums: Vec<Vec<[f64; 8]>> = vec![Vec::new(); self.cells.len()];
        let mut lines = 0;
        for (k, all) in families.iter().enumerate() {
            let from = all.partition_point(|c| c.row < self.number);
            let line = &all[from..];
            let line = &line[..line.partition_point(|c| c.row == self.number)];
            if line.iter().map(|c| i32::from(c.sign)).sum::<i32>() != 0 {
                continue;
            }
            lines += 1;
            let mut winding = 0;
            for pair in line.windows(2) {
                winding += i32::from(pair[0].sign) * i32::from(self.outward);
                if winding > 0 {
                    self.add([&pair[0], &pair[1]], line_position(k), nx, &mut sums);
                }
            }
        }
        if lines == 0 {
            return Vec::new();
        }
        let mut shares = Vec::new();
        for (&cell, sums) in self.cells.iter().zip(&mut sums) {
            let copies = self.copies.map_or(1, |c| c.count(cell));
            sums.resize(copies, [0.0; 8]);
            for (copy, sum) in sums.iter().enumerate() {
                let corners = sum.map(|s| s / f64::from(lines));
                if corners.iter().sum::<f64>() < MIN_FULL_SHARE {
                    shares.push(CellShare {
                        cell,
                        copy: copy as u8,
                        corners,
                    });
                }
            }
        }
        shares
    }

    /// Adds the material between two crossings to the cells it lies in.
    fn add(&self, ends: [&Crossing; 2], [y, z]: [f64; 2], nx: usize, sums: &mut [Vec<[f64; 8]>]) {
        let [from, to] = ends.map(|c| c.along);
        for (k, (&cell, sums)) in self.cells.iter().zip(sums).enumerate() {
            let x = (cell as usize % nx) as f64;
            let (a, b) = ((from - x).clamp(0.0, 1.0), (to - x).clamp(0.0, 1.0));
            if b <= a {
                continue;
            }
            let middle = [0.5 * (a + b), y, z];
            let copy = self.copy(k, ends, middle);
            if sums.len() <= copy {
                sums.resize(copy + 1, [0.0; 8]);
            }
            let above = 0.5 * (b * b - a * a);
            let along = [b - a - above, above];
            for (corner, sum) in sums[copy].iter_mut().enumerate() {
                let side = |k: usize, t: f64| if corner >> k & 1 == 1 { t } else { 1.0 - t };
                *sum += along[corner & 1] * side(1, y) * side(2, z);
            }
        }
    }

    /// The copy of the `k`th cell that has the material between two crossings, the middle of which lies at `middle` in the cell.
    fn copy(&self, k: usize, ends: [&Crossing; 2], middle: [f64; 3]) -> usize {
        let Some(copies) = self.copies else { return 0 };
        let (cell, index) = (self.cells[k], self.first + k);
        if copies.count(cell) < 2 {
            return 0;
        }
        let piece_at = |c: &&Crossing| self.pieces.piece_of(index, c.triangle);
        let piece = ends.iter().find_map(piece_at).or_else(|| {
            // the line crosses no surface in this cell: the nearest corner with material
            let corners = &self.pieces.of_corner[index];
            let distance = |b: &usize| -> f64 {
                let gap = |k: usize| middle[k] - (b >> k & 1) as f64;
                (0..3).map(|k| gap(k).powi(2)).sum()
            };
            let inside = (0..8).filter(|&b| corners[b] != OUTSIDE);
            let near = inside.min_by(|a, b| distance(a).total_cmp(&distance(b)));
            near.map(|b| corners[b])
        });
        piece.map_or(0, |p| usize::from(copies.of_piece(cell, p)))
    }
}
