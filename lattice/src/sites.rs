//! Particles at the corners of kept cells, and the links between them.

use petgraph::unionfind::UnionFind;
use pliant_core::mesh::VoxelGrid;

use crate::error::LatticeError;

/// No particle at a site.
pub(crate) const NONE: u32 = u32::MAX;
/// Largest number of sites of a grid.
const MAX_SITES: usize = 1 << 27;

/// The sites of a grid that carry particles. Particles are numbered with x fastest, then y, then z, so that neighbours along x have
/// consecutive numbers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sites {
    /// Sites along x, y, z of the smallest block around all particles.
    pub dims: [usize; 3],
    /// Site of each particle.
    pub of_particle: Vec<[u16; 3]>,
    /// Links of each particle: bit `(dz+1)·9 + (dy+1)·3 + (dx+1)` is set when the neighbour at that offset shares a kept cell.
    pub links: Vec<u32>,
    /// Particle at each site of the block, or `u32::MAX`.
    pub(crate) particle_at: Vec<u32>,
    /// Kept cells of the block of `dims − 1` cells, summed over all smaller indices, for counting those in a box.
    pub(crate) cell_sums: Vec<u32>,
}

/// Where a block lies in the voxel grid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Block {
    /// Cell of the grid at the smallest corner of the block.
    pub first: [usize; 3],
}

/// Finds particles and links of the kept cells.
pub(crate) fn find(grid: &VoxelGrid) -> Result<(Sites, Block), LatticeError> {
    let [nx, ny, nz] = grid.dims;
    let cells = nx.saturating_mul(ny).saturating_mul(nz);
    if cells != grid.kept.len() || !(grid.cell.is_finite() && grid.cell > 0.0) {
        return Err(LatticeError::BadGrid {
            flags: grid.kept.len(),
            cells,
            cell: grid.cell,
        });
    }
    let (mut low, mut high) = ([usize::MAX; 3], [0; 3]);
    for cell in grid.kept_cells() {
        for k in 0..3 {
            low[k] = low[k].min(cell[k]);
            high[k] = high[k].max(cell[k] + 1);
        }
    }
    if low[0] == usize::MAX {
        return Err(LatticeError::TooFewParticles { count: 0 });
    }
    let dims = [0, 1, 2].map(|k| high[k] - low[k] + 1);
    let sites = dims.iter().product::<usize>();
    if sites > MAX_SITES || dims.iter().any(|&n| n > usize::from(u16::MAX)) {
        return Err(LatticeError::GridTooLarge { sites });
    }
    let kept = |c: [i64; 3]| {
        grid.is_kept(
            c[0] + low[0] as i64,
            c[1] + low[1] as i64,
            c[2] + low[2] as i64,
        )
    };
    Ok((number(dims, kept), Block { first: low }))
}

fn number(dims: [usize; 3], kept: impl Fn([i64; 3]) -> bool) -> Sites {
    let mut sites = Sites {
        dims,
        of_particle: Vec::new(),
        links: Vec::new(),
        particle_at: vec![NONE; dims.iter().product()],
        cell_sums: vec![0; dims.iter().product()],
    };
    for z in 0..dims[2] {
        for y in 0..dims[1] {
            for x in 0..dims[0] {
                let mut mask = 0u32;
                // the eight cells around the site; offset −1 or 0
                for corner in 0..8_i64 {
                    let o = [(corner & 1) - 1, ((corner >> 1) & 1) - 1, (corner >> 2) - 1];
                    if kept([x as i64 + o[0], y as i64 + o[1], z as i64 + o[2]]) {
                        mask |= cell_mask(o);
                    }
                }
                let at = sites.index(x, y, z);
                if x > 0 && y > 0 && z > 0 {
                    sites.count_cell(at, kept([x as i64 - 1, y as i64 - 1, z as i64 - 1]));
                }
                if mask != 0 {
                    sites.particle_at[at] = sites.of_particle.len() as u32;
                    sites.of_particle.push([x as u16, y as u16, z as u16]);
                    sites.links.push(mask & !(1 << 13));
                }
            }
        }
    }
    sites
}

/// Links from a site to the corners of the cell at offset `o`.
fn cell_mask(o: [i64; 3]) -> u32 {
    let mut mask = 0;
    for z in o[2]..=o[2] + 1 {
        for y in o[1]..=o[1] + 1 {
            for x in o[0]..=o[0] + 1 {
                mask |= 1 << ((z + 1) * 9 + (y + 1) * 3 + x + 1);
            }
        }
    }
    mask
}

impl Sites {
    /// Number of particles.
    pub fn len(&self) -> usize {
        self.of_particle.len()
    }

    /// Flat index of a site.
    pub(crate) fn index(&self, x: usize, y: usize, z: usize) -> usize {
        (z * self.dims[1] + y) * self.dims[0] + x
    }

    /// Particle at a site that may lie outside the block.
    pub(crate) fn particle(&self, site: [i64; 3]) -> Option<u32> {
        let inside = (0..3).all(|k| site[k] >= 0 && (site[k] as usize) < self.dims[k]);
        if !inside {
            return None;
        }
        let at = self.index(site[0] as usize, site[1] as usize, site[2] as usize);
        Some(self.particle_at[at]).filter(|&p| p != NONE)
    }

    /// Enters the cell whose largest corner is site `at` into the summed table.
    fn count_cell(&mut self, at: usize, kept: bool) {
        let (dy, dz) = (self.dims[0], self.dims[0] * self.dims[1]);
        let s = &self.cell_sums;
        // inclusion and exclusion, kept non-negative by its order
        let sum = u32::from(kept) + s[at - 1] + s[at - dy] + s[at - dz] + s[at - 1 - dy - dz]
            - s[at - 1 - dy]
            - s[at - 1 - dz]
            - s[at - dy - dz];
        self.cell_sums[at] = sum;
    }

    /// Whether every cell of the box of half-width `w` around a particle is kept.
    pub(crate) fn is_interior(&self, particle: usize, w: usize) -> bool {
        let site = self.of_particle[particle].map(usize::from);
        if (0..3).any(|k| site[k] < w || site[k] + w >= self.dims[k]) {
            return false;
        }
        let at = |x: usize, y: usize, z: usize| i64::from(self.cell_sums[self.index(x, y, z)]);
        let (a, b) = (site.map(|s| s - w), site.map(|s| s + w));
        let count = at(b[0], b[1], b[2])
            - at(a[0], b[1], b[2])
            - at(b[0], a[1], b[2])
            - at(b[0], b[1], a[2])
            + at(a[0], a[1], b[2])
            + at(a[0], b[1], a[2])
            + at(b[0], a[1], a[2])
            - at(a[0], a[1], a[2]);
        count == (8 * w * w * w) as i64
    }

    /// Component of the link graph of each particle, numbered by first particle.
    pub(crate) fn components(&self) -> Vec<u32> {
        let mut union = UnionFind::<u32>::new(self.len());
        for (p, site) in self.of_particle.iter().enumerate() {
            // half of the links suffices: each is seen from both ends
            for bit in 14..27 {
                if self.links[p] & (1 << bit) != 0
                    && let Some(q) = self.particle(neighbour(site, bit))
                {
                    union.union(p as u32, q);
                }
            }
        }
        let mut label = vec![NONE; self.len()];
        let mut next = 0;
        (0..self.len() as u32)
            .map(|p| {
                let root = union.find(p) as usize;
                if label[root] == NONE {
                    label[root] = next;
                    next += 1;
                }
                label[root]
            })
            .collect()
    }
}

/// Site at link `bit` of `site`.
pub(crate) fn neighbour(site: &[u16; 3], bit: usize) -> [i64; 3] {
    [
        i64::from(site[0]) + (bit % 3) as i64 - 1,
        i64::from(site[1]) + (bit / 3 % 3) as i64 - 1,
        i64::from(site[2]) + (bit / 9) as i64 - 1,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{grid_of, u_bar};

    #[test]
    fn links_are_mutual_and_share_a_cell() {
        let (sites, _) = find(&u_bar(1)).expect("particles");
        for p in 0..sites.len() {
            for bit in (0..27).filter(|&b| sites.links[p] & (1 << b) != 0) {
                let q = sites
                    .particle(neighbour(&sites.of_particle[p], bit))
                    .expect("a linked neighbour exists");
                assert_ne!(sites.links[q as usize] & (1 << (26 - bit)), 0);
            }
        }
    }

    #[test]
    fn a_block_is_counted_and_pieces_are_told_apart() {
        let (sites, block) = find(&grid_of([3, 4, 5], |_| true)).expect("particles");
        assert_eq!((sites.len(), block.first), (4 * 5 * 6, [1, 1, 1]));
        assert_eq!(sites.links[0].count_ones(), 7);
        let inside = sites.particle([1, 2, 2]).expect("inside") as usize;
        assert_eq!(sites.links[inside].count_ones(), 26);
        assert!(sites.is_interior(inside, 1) && !sites.is_interior(inside, 2));
        assert!(sites.components().iter().all(|&c| c == 0));
        let (two, _) = find(&grid_of([5, 1, 1], |c| c[0] != 2)).expect("particles");
        assert_eq!(two.components().iter().max(), Some(&1));
        assert_eq!(
            find(&grid_of([2, 2, 2], |_| false)).map_err(|e| e.code()),
            Err("TooFewParticles")
        );
    }
}
