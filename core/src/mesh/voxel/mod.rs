//! Voxel grids: the cells of a regular grid that belong to a body, some of them in several copies.

pub mod particles;

use crate::math::Vec3;

/// A regular grid of cubic cells, some of which are kept.
///
/// Material on both sides of a gap may reach into one cell, or into two neighbours without crossing the face between them. Its corners must
/// not be shared. A site of the grid then carries several particles, and [`VoxelGrid::copies`] says which cell copy uses which of them. A grid without such
/// gaps has no copies: each kept cell exists once, with one particle a corner.
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
    /// All copies of every kept cell that has a corner with several particles, sorted by cell, then by number of the copy. Kept cells that are not
    /// listed exist once and use particle 0 of their corners, which is the only one there.
    pub copies: Vec<CellCopy>,
    /// Cell copy of each vertex of the surface that was voxelised; empty where every vertex belongs to the kept cell that it lies in or is nearest to.
    pub skin: Vec<SkinCell>,
    /// The part of each cell copy inside the body, sorted by cell, then by number of the copy. Copies that are not listed are full.
    pub shares: Vec<CellShare>,
}

/// One of the copies of a kept cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellCopy {
    /// Flat index of the cell.
    pub cell: u32,
    /// Number of the copy, from 0.
    pub copy: u8,
    /// Which of the particles at each corner is this copy's, from 0 without gaps; corner `b` lies at (b & 1, b >> 1 & 1, b >> 2).
    pub corners: [u8; 8],
}

/// The cell copy of a vertex of the skin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SkinCell {
    /// Flat index of a kept cell.
    pub cell: u32,
    /// Number of its copy.
    pub copy: u8,
}

/// The part inside the body of a cell copy that the surface cuts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CellShare {
    /// Flat index of a kept cell.
    pub cell: u32,
    /// Number of its copy.
    pub copy: u8,
    /// The volume inside as a share of the cell, distributed to the corners with trilinear weights. The sum is the share that is inside, and the
    /// weighted mean of the corner positions is its centroid. An eighth each for a full cell.
    pub corners: [f64; 8],
}

impl VoxelGrid {
    /// A grid in which every kept cell exists once; see the fields for the arguments.
    pub fn new(origin: Vec3, cell: f64, dims: [usize; 3], kept: Vec<bool>) -> Self {
        Self {
            origin,
            cell,
            dims,
            kept,
            copies: Vec::new(),
            skin: Vec::new(),
            shares: Vec::new(),
        }
    }

    /// Flat index of cell `(i, j, k)`.
    pub fn index(&self, i: usize, j: usize, k: usize) -> usize {
        (k * self.dims[1] + j) * self.dims[0] + i
    }

    /// The cell of a flat index.
    pub fn cell_at(&self, index: usize) -> [usize; 3] {
        let [nx, ny, _] = self.dims;
        [index % nx, (index / nx) % ny, index / (nx * ny)]
    }

    /// Whether cell `(i, j, k)` is kept; cells outside the grid are not.
    pub fn is_kept(&self, i: i64, j: i64, k: i64) -> bool {
        let inside = |v: i64, n: usize| v >= 0 && (v as usize) < n;
        inside(i, self.dims[0])
            && inside(j, self.dims[1])
            && inside(k, self.dims[2])
            && self.kept[self.index(i as usize, j as usize, k as usize)]
    }

    /// Number of kept cells, each counted once.
    pub fn kept_count(&self) -> usize {
        self.kept_indices().count()
    }

    /// Number of kept cells with all their copies.
    pub fn copy_count(&self) -> usize {
        self.kept_count() + self.copies.iter().filter(|c| c.copy > 0).count()
    }

    /// The listed copies of a cell; none for a cell that exists once with particle 0 at each corner. Cost: a binary search.
    pub fn copies_of(&self, cell: usize) -> &[CellCopy] {
        let from = self.copies.partition_point(|c| (c.cell as usize) < cell);
        let count = self.copies[from..].partition_point(|c| c.cell as usize == cell);
        &self.copies[from..from + count]
    }

    /// Kept cells in index order.
    pub fn kept_cells(&self) -> impl Iterator<Item = [usize; 3]> + '_ {
        self.kept_indices().map(|index| self.cell_at(index))
    }

    /// Flat indices of kept cells, ascending.
    fn kept_indices(&self) -> impl Iterator<Item = usize> + '_ {
        let all = self.kept.iter().enumerate();
        all.filter(|(_, is_kept)| **is_kept).map(|(index, _)| index)
    }

    /// Share of each corner in the volume of a cell copy, cells: an eighth each where it is full. Cost: a binary search.
    pub fn shares_of(&self, cell: u32, copy: u8) -> [f64; 8] {
        let found = self
            .shares
            .binary_search_by_key(&(cell, copy), |s| (s.cell, s.copy));
        found.map_or([0.125; 8], |k| self.shares[k].corners)
    }

    /// Volume inside all cell copies, m³.
    pub fn volume(&self) -> f64 {
        let missing = |s: &CellShare| 1.0 - s.corners.iter().sum::<f64>();
        let cells = self.copy_count() as f64 - self.shares.iter().map(missing).sum::<f64>();
        cells * self.cell.powi(3)
    }

    /// Every cell copy in order, with its cell.
    pub fn cell_copies(&self) -> impl Iterator<Item = ([usize; 3], CellCopy)> + '_ {
        let mut next = 0;
        self.kept_indices().flat_map(move |index| {
            let from = next;
            let is_copy = |c: &CellCopy| c.cell as usize == index;
            while self.copies.get(next).is_some_and(is_copy) {
                next += 1;
            }
            let single = CellCopy {
                cell: index as u32,
                copy: 0,
                corners: [0; 8],
            };
            let count = (next - from).max(1);
            (0..count).map(move |k| {
                let copy = self.copies[from..next].get(k).copied().unwrap_or(single);
                (self.cell_at(index), copy)
            })
        })
    }

    /// The cell that holds `point`, which may lie outside the grid.
    pub fn cell_of(&self, point: &Vec3) -> [i64; 3] {
        let r = (point - self.origin) / self.cell;
        [r.x.floor() as i64, r.y.floor() as i64, r.z.floor() as i64]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_found_and_listed_in_order() {
        let mut grid = VoxelGrid::new(Vec3::zeros(), 0.5, [3, 1, 1], vec![true; 3]);
        assert_eq!((grid.kept_count(), grid.copy_count()), (3, 3));
        assert_eq!(grid.cell_copies().count(), 3);
        let copy = |copy: u8| CellCopy {
            cell: 1,
            copy,
            corners: [copy; 8],
        };
        grid.copies = vec![copy(0), copy(1)];
        assert_eq!((grid.kept_count(), grid.copy_count()), (3, 4));
        assert_eq!(grid.copies_of(1), &[copy(0), copy(1)]);
        assert!(grid.copies_of(0).is_empty() && grid.copies_of(2).is_empty());
        let listed: Vec<(usize, u8, u8)> = grid
            .cell_copies()
            .map(|(at, c)| (at[0], c.copy, c.corners[7]))
            .collect();
        assert_eq!(listed, [(0, 0, 0), (1, 0, 0), (1, 1, 1), (2, 0, 0)]);
    }
}
