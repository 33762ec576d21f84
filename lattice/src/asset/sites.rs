//! Particles at the corners of kept cells, and the links between them.

use std::ops::Range;

use pliant_core::mesh::validate::UnionFind;

use crate::asset::LatticeAsset;

/// No particle at a site.
pub(crate) const NONE: u32 = u32::MAX;

/// Link bits of the neighbours along the axes.
pub(crate) const AXES: [usize; 6] = [12, 14, 10, 16, 4, 22];

/// The sites of a grid that carry particles. Particles are numbered with x fastest, then y, then z, so that neighbours along x have
/// consecutive numbers; where cells are split, the particles of one site follow each other.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sites {
    /// Sites along x, y, z of the smallest block around all particles.
    pub dims: [usize; 3],
    /// Site of each particle.
    pub of_particle: Vec<[u16; 3]>,
    /// Links of each particle: bit `(dz+1)·9 + (dy+1)·3 + (dx+1)` is set when a neighbour at that offset shares a cell copy with it.
    pub links: Vec<u32>,
    /// First particle at each site of the block, or `u32::MAX`.
    pub(crate) particle_at: Vec<u32>,
    /// Summed-volume table of the kept cells of the block of `dims − 1` cells that exist once and share their corners with all neighbours,
    /// for counting those in a box.
    pub(crate) cell_sums: Vec<u32>,
    /// links to sites with several particles: particle, bit and the other particle, sorted
    pub(crate) forks: Vec<[u32; 3]>,
}

impl Sites {
    /// The sites of a baked lattice. It has no summed cells, so that [`Sites::is_interior`] must not be called.
    pub fn of_asset(asset: &LatticeAsset) -> Self {
        let mut sites = Self {
            dims: asset.dims,
            of_particle: asset.sites.clone(),
            links: asset.links.clone(),
            particle_at: vec![NONE; asset.dims.iter().product()],
            cell_sums: Vec::new(),
            forks: asset.forks.clone(),
        };
        for (p, site) in asset.sites.iter().enumerate().rev() {
            let [x, y, z] = site.map(usize::from);
            let at = sites.index(x, y, z);
            sites.particle_at[at] = p as u32;
        }
        sites
    }

    /// Link bit from particle `p` to a particle `q` at a neighbouring site.
    pub(crate) fn bit(&self, p: u32, q: u32) -> u32 {
        let (a, b) = (self.of_particle[p as usize], self.of_particle[q as usize]);
        let step = |k: usize| u32::from((1 + b[k]).saturating_sub(a[k]).min(2));
        step(2) * 9 + step(1) * 3 + step(0)
    }

    /// Removes the link between two particles, if there is one.
    pub(crate) fn unlink(&mut self, p: u32, q: u32) {
        for (p, q) in [(p, q), (q, p)] {
            let bit = self.bit(p, q);
            let forks = self.forks_at(p, bit);
            if let Some(at) = forks.clone().find(|&at| self.forks[at][2] == q) {
                self.forks.remove(at);
            }
            if forks.len() < 2 {
                self.links[p as usize] &= !(1 << bit);
            }
        }
    }

    /// Number of particles.
    pub fn len(&self) -> usize {
        self.of_particle.len()
    }

    /// Flat index of a site.
    pub(crate) fn index(&self, x: usize, y: usize, z: usize) -> usize {
        (z * self.dims[1] + y) * self.dims[0] + x
    }

    /// First particle at a site that may lie outside the block.
    pub(crate) fn particle(&self, site: [i64; 3]) -> Option<u32> {
        let inside = (0..3).all(|k| site[k] >= 0 && (site[k] as usize) < self.dims[k]);
        if !inside {
            return None;
        }
        let at = self.index(site[0] as usize, site[1] as usize, site[2] as usize);
        Some(self.particle_at[at]).filter(|&p| p != NONE)
    }

    /// All particles at a site that may lie outside the block.
    pub(crate) fn particles(&self, site: [i64; 3]) -> Range<u32> {
        let Some(first) = self.particle(site) else {
            return 0..0;
        };
        let site = &self.of_particle[first as usize];
        let same = self.of_particle[first as usize..]
            .iter()
            .take_while(|s| *s == site);
        first..first + same.count() as u32
    }

    /// Calls `visit` with every particle that `particle` is linked with, by bit, then by number.
    pub(crate) fn for_each_linked(&self, particle: usize, mut visit: impl FnMut(u32)) {
        let mut bits = self.links[particle];
        while bits != 0 {
            let bit = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            self.linked_at(particle, bit).for_each(&mut visit);
        }
    }

    /// Every particle that `particle` is linked with, in that order.
    pub(crate) fn linked(&self, particle: usize) -> Vec<u32> {
        let mut linked = Vec::new();
        self.for_each_linked(particle, |q| linked.push(q));
        linked
    }

    /// Every particle that `particle` is linked with at link bit `bit`: several where cells are split.
    pub(crate) fn linked_at(&self, particle: usize, bit: usize) -> impl Iterator<Item = u32> {
        let (mut alone, mut forks) = (0..0, 0..0);
        if self.links[particle] >> bit & 1 == 1 {
            let neighbours = self.particles(neighbour(&self.of_particle[particle], bit));
            match neighbours.len() {
                1 => alone = neighbours,
                _ => forks = self.forks_at(particle as u32, bit as u32),
            }
        }
        alone.chain(self.forks[forks].iter().map(|f| f[2]))
    }

    /// The forks of a particle at a link bit.
    fn forks_at(&self, particle: u32, bit: u32) -> Range<usize> {
        let key = [particle, bit];
        let from = self.forks.partition_point(|f| [f[0], f[1]] < key);
        let same = self.forks[from..].iter().take_while(|f| f[..2] == key);
        from..from + same.count()
    }

    /// Whether two particles are linked.
    pub(crate) fn are_linked(&self, p: u32, q: u32) -> bool {
        let bit = self.bit(p, q) as usize;
        self.linked_at(p as usize, bit).any(|k| k == q)
    }

    /// Whether two particles are linked with each other, or both with a third one.
    pub(crate) fn have_common_neighbour(&self, p: u32, q: u32) -> bool {
        let [a, b] = [p, q].map(|p| self.of_particle[p as usize]);
        if a.iter().zip(b).any(|(a, b)| a.abs_diff(b) > 2) {
            return false;
        }
        let adjacent = |a: u32, b: u32| {
            let [a, b] = [a, b].map(|p| self.of_particle[p as usize]);
            a.iter().zip(b).all(|(a, b)| a.abs_diff(b) <= 1)
        };
        let linked = |a: u32, b: u32| adjacent(a, b) && self.are_linked(a, b);
        let mut found = linked(p, q);
        self.for_each_linked(p as usize, |neighbour| found |= linked(neighbour, q));
        found
    }

    /// Whether every cell of the box of half-width `w` around a particle is kept, exists once and shares its corners.
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
        let mut sets = UnionFind::new(self.len());
        for p in 0..self.len() as u32 {
            // each link is seen from both ends
            self.for_each_linked(p as usize, |q| {
                if q > p {
                    sets.join(p, q);
                }
            });
        }
        sets.numbered().0
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
