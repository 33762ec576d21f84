//! The particles at the corners of the cells of a grid: their numbers, and the connected components of the cells.

use super::{CellCopy, VoxelGrid};
use crate::mesh::validate::UnionFind;

/// Numbers of the particles of a grid: by site with x fastest, and at one site in the order of [`CellCopy::corners`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoxelParticles {
    /// cells along x, y
    cells: [usize; 2],
    /// first particle of each site, and the number of particles at the end
    starts: Vec<u32>,
}

impl VoxelParticles {
    /// Numbers the corners of all kept cells. Cost: one pass over the grid; four bytes a site.
    pub fn new(grid: &VoxelGrid) -> Self {
        let mut numbers = Self {
            cells: [grid.dims[0], grid.dims[1]],
            starts: vec![0; grid.dims.iter().map(|n| n + 1).product::<usize>() + 1],
        };
        for (at, copy) in grid.cell_copies() {
            for corner in 0..8 {
                let site = numbers.site(at, corner);
                let count = u32::from(copy.corners[corner]) + 1;
                numbers.starts[site + 1] = numbers.starts[site + 1].max(count);
            }
        }
        for site in 1..numbers.starts.len() {
            numbers.starts[site] += numbers.starts[site - 1];
        }
        numbers
    }

    /// Number of particles.
    pub fn len(&self) -> usize {
        self.starts.last().map_or(0, |&n| n as usize)
    }

    /// Whether there is no particle.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Flat index of a corner of a cell, x fastest.
    fn site(&self, cell: [usize; 3], corner: usize) -> usize {
        let at = [
            cell[0] + (corner & 1),
            cell[1] + (corner >> 1 & 1),
            cell[2] + (corner >> 2),
        ];
        (at[2] * (self.cells[1] + 1) + at[1]) * (self.cells[0] + 1) + at[0]
    }

    /// The particle at a corner of a cell copy.
    pub fn of_corner(&self, cell: [usize; 3], copy: &CellCopy, corner: usize) -> u32 {
        self.starts[self.site(cell, corner)] + u32::from(copy.corners[corner])
    }

    /// Site of each particle, in order.
    pub fn sites(&self) -> impl Iterator<Item = [usize; 3]> + '_ {
        let (nx, ny) = (self.cells[0] + 1, self.cells[1] + 1);
        self.starts.windows(2).enumerate().flat_map(move |(s, w)| {
            let site = [s % nx, (s / nx) % ny, s / (nx * ny)];
            (w[0]..w[1]).map(move |_| site)
        })
    }

    /// Connected component of each cell copy in order, numbered by first cell. Cells are connected where they share a particle.
    pub fn components(&self, grid: &VoxelGrid) -> Vec<u32> {
        let mut sets = UnionFind::new(self.len());
        for (at, copy) in grid.cell_copies() {
            let first = self.of_corner(at, &copy, 0);
            for corner in 1..8 {
                sets.join(first, self.of_corner(at, &copy, corner));
            }
        }
        let mut label = vec![u32::MAX; self.len()];
        let mut next = 0;
        grid.cell_copies()
            .map(|(at, copy)| {
                let slot = &mut label[sets.find(self.of_corner(at, &copy, 0)) as usize];
                if *slot == u32::MAX {
                    *slot = next;
                    next += 1;
                }
                *slot
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec3;

    #[test]
    fn shared_and_split_corners_are_numbered_in_order() {
        let mut grid = VoxelGrid::new(Vec3::zeros(), 1.0, [2, 1, 1], vec![true; 2]);
        let plain = VoxelParticles::new(&grid);
        assert_eq!(plain.len(), 12);
        assert_eq!(plain.components(&grid), [0, 0]);
        // the two cells no longer share the corners of their face
        let copy = |cell: u32, corners: [u8; 8]| CellCopy {
            cell,
            copy: 0,
            corners,
        };
        grid.copies = vec![copy(0, [0; 8]), copy(1, [1, 0, 1, 0, 1, 0, 1, 0])];
        let split = VoxelParticles::new(&grid);
        assert_eq!(split.len(), 16);
        assert_eq!(split.components(&grid), [0, 1]);
        let (first, second) = (grid.copies[0], grid.copies[1]);
        assert_eq!(split.of_corner([0, 0, 0], &first, 1), 1);
        assert_eq!(split.of_corner([1, 0, 0], &second, 0), 2);
        let sites: Vec<[usize; 3]> = split.sites().collect();
        assert_eq!(sites.len(), 16);
        assert_eq!((sites[1], sites[2]), ([1, 0, 0], [1, 0, 0]));
    }
}
