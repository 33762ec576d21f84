//! Finds the particles at the corners of kept cells, and the links between them.

use std::borrow::Cow;

use pliant_core::mesh::{CellCopy, VoxelGrid};

use crate::asset::sites::{NONE, Sites};
use crate::error::LatticeError;

/// Largest number of sites of a grid.
const MAX_SITES: usize = 1 << 27;

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
    let bad_grid = || LatticeError::BadGrid {
        flags: grid.kept.len(),
        cells,
        cell: grid.cell,
    };
    if cells != grid.kept.len() || !(grid.cell.is_finite() && grid.cell > 0.0) {
        return Err(bad_grid());
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
    let mut unsplit = Cow::Borrowed(&grid.kept);
    // particles of each site where split cells meet
    let mut particles_at_site = vec![0_u8; if grid.copies.is_empty() { 0 } else { sites }];
    for copy in &grid.copies {
        let numbered = !copy.corners.contains(&u8::MAX);
        if !(numbered && grid.kept.get(copy.cell as usize).is_some_and(|&k| k)) {
            return Err(bad_grid());
        }
        unsplit.to_mut()[copy.cell as usize] = false;
        for (site, &number) in corners(grid, copy, &low).iter().zip(&copy.corners) {
            let at = (site[2] * dims[1] + site[1]) * dims[0] + site[0];
            particles_at_site[at] = particles_at_site[at].max(number.saturating_add(1));
        }
    }
    let is_unsplit = |c: [i64; 3]| {
        let at = [0, 1, 2].map(|k| c[k] + low[k] as i64);
        grid.is_kept(at[0], at[1], at[2])
            && unsplit[grid.index(at[0] as usize, at[1] as usize, at[2] as usize)]
    };
    let mut sites = number_particles(dims, is_unsplit, &particles_at_site);
    sites.link_copies(grid, &low);
    Ok((sites, Block { first: low }))
}

/// Sites of the block at the eight corners of a cell copy.
pub(crate) fn corners(grid: &VoxelGrid, copy: &CellCopy, low: &[usize; 3]) -> [[usize; 3]; 8] {
    let cell = grid.cell_at(copy.cell as usize);
    std::array::from_fn(|b| [0, 1, 2].map(|k| cell[k] + (b >> k & 1) - low[k]))
}

pub(crate) fn number_particles(
    dims: [usize; 3],
    unsplit: impl Fn([i64; 3]) -> bool,
    particles_at_site: &[u8],
) -> Sites {
    let mut sites = Sites {
        dims,
        of_particle: Vec::new(),
        links: Vec::new(),
        particle_at: vec![NONE; dims.iter().product()],
        cell_sums: vec![0; dims.iter().product()],
        forks: Vec::new(),
    };
    for z in 0..dims[2] {
        for y in 0..dims[1] {
            for x in 0..dims[0] {
                let mut mask = 0u32;
                // the eight cells around the site; offset −1 or 0
                for corner in 0..8_i64 {
                    let o = [(corner & 1) - 1, ((corner >> 1) & 1) - 1, (corner >> 2) - 1];
                    if unsplit([x as i64 + o[0], y as i64 + o[1], z as i64 + o[2]]) {
                        mask |= cell_mask(o);
                    }
                }
                let at = sites.index(x, y, z);
                if x > 0 && y > 0 && z > 0 {
                    sites.count_cell(at, unsplit([x as i64 - 1, y as i64 - 1, z as i64 - 1]));
                }
                let split = particles_at_site.get(at).copied().unwrap_or(0);
                let count = split.max(u8::from(mask != 0));
                if count > 0 {
                    sites.particle_at[at] = sites.of_particle.len() as u32;
                }
                for k in 0..count {
                    sites.of_particle.push([x as u16, y as u16, z as u16]);
                    let links = if k == 0 { mask & !(1 << 13) } else { 0 };
                    sites.links.push(links);
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
    /// Links the corners of the listed cell copies.
    pub(crate) fn link_copies(&mut self, grid: &VoxelGrid, low: &[usize; 3]) {
        for copy in &grid.copies {
            let sites = corners(grid, copy, low).map(|s| s.map(|i| i as i64));
            let particles: [u32; 8] = std::array::from_fn(|b| {
                self.particles(sites[b]).start + u32::from(copy.corners[b])
            });
            for (a, b) in (0..8).flat_map(|a| (0..8).map(move |b| (a, b))) {
                if a == b {
                    continue;
                }
                let step = |k: usize| sites[b][k] - sites[a][k] + 1;
                let bit = step(2) * 9 + step(1) * 3 + step(0);
                self.links[particles[a] as usize] |= 1 << bit;
                if self.particles(sites[b]).len() > 1 {
                    self.forks.push([particles[a], bit as u32, particles[b]]);
                }
            }
        }
        self.forks.sort_unstable();
        self.forks.dedup();
    }

    /// Enters the cell whose largest corner is site `at` into the summed table.
    pub(crate) fn count_cell(&mut self, at: usize, kept: bool) {
        let (dy, dz) = (self.dims[0], self.dims[0] * self.dims[1]);
        let s = &self.cell_sums;
        // inclusion and exclusion, kept non-negative by its order
        let sum = u32::from(kept) + s[at - 1] + s[at - dy] + s[at - dz] + s[at - 1 - dy - dz]
            - s[at - 1 - dy]
            - s[at - 1 - dz]
            - s[at - dy - dz];
        self.cell_sums[at] = sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::bodies::{grid_of, shapes, slit_bar};
    use std::collections::BTreeSet;

    #[test]
    fn links_are_mutual_and_share_a_cell() {
        for (name, grid) in shapes() {
            let (sites, _) = find(&grid).expect("particles");
            let linked = |p: usize| sites.linked(p);
            let mut share = vec![BTreeSet::new(); sites.len()];
            for (cell, copy) in grid.cell_copies() {
                // the test shapes have one layer of empty cells around them
                let corners: Vec<u32> = (0..8)
                    .map(|b| {
                        let site = [0, 1, 2].map(|k| (cell[k] + (b >> k & 1)) as i64 - 1);
                        sites.particles(site).start + u32::from(copy.corners[b])
                    })
                    .collect();
                for &p in &corners {
                    share[p as usize].extend(corners.iter().filter(|&&q| q != p));
                }
            }
            for (p, share) in share.iter().enumerate() {
                assert_eq!(&BTreeSet::from_iter(linked(p)), share, "{name}");
                assert!(
                    linked(p)
                        .iter()
                        .all(|&q| linked(q as usize).contains(&(p as u32)))
                );
            }
        }
    }

    #[test]
    fn a_slit_parts_particles_and_damaged_copies_are_refused() {
        let mut grid = slit_bar();
        let (sites, _) = find(&grid).expect("particles");
        let (whole, _) = find(&VoxelGrid::new(
            grid.origin,
            grid.cell,
            grid.dims,
            grid.kept.clone(),
        ))
        .expect("particles");
        // four sites along the slit, two heights, three layers of sites
        assert_eq!(sites.len(), whole.len() + 4 * 2 * 3);
        assert!(sites.of_particle.is_sorted_by_key(|s| [s[2], s[1], s[0]]));
        assert!(sites.components().iter().all(|&c| c == 0));
        assert_eq!(sites.particles([2, 1, 0]).len(), 1);
        assert_eq!(sites.particles([3, 1, 0]).len(), 2);
        grid.copies[3].corners[2] = u8::MAX;
        assert_eq!(find(&grid).map_err(|e| e.code()), Err("BadGrid".into()));
        grid.copies[3].corners[2] = 0;
        grid.copies[3].cell = u32::MAX;
        assert_eq!(find(&grid).map_err(|e| e.code()), Err("BadGrid".into()));
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
            Err("TooFewParticles".into())
        );
    }
}
