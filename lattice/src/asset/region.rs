//! Regions: the particles within `w` link steps of a particle.
//!
//! A region is found by breadth-first traversal of links, not by cutting a box out of the grid. There is no link across a gap of the body, so that the two prongs of
//! a fork stay independent. `i ∈ R_j` exactly when `j ∈ R_i`.

use crate::asset::sites::{NONE, Sites};

/// A region as runs of consecutive particles, in particle order.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Region {
    /// First particle and number of particles of each run; runs of one row are ordered, rows by y, then z.
    pub runs: Vec<[u32; 2]>,
    /// Number of particles.
    pub size: u32,
    /// Whether it is every particle of its box, and no site of the box has more than one.
    pub is_box: bool,
}

/// Finds regions one after the other; reuses its memory.
pub(crate) struct RegionFinder<'a> {
    sites: &'a Sites,
    half_width: usize,
    /// whether each particle is in the region; all false between two searches
    visited: Vec<bool>,
    front: Vec<u32>,
    next: Vec<u32>,
}

impl<'a> RegionFinder<'a> {
    pub fn new(sites: &'a Sites, half_width: usize) -> Self {
        Self {
            sites,
            half_width,
            visited: vec![false; sites.len()],
            front: Vec::new(),
            next: Vec::new(),
        }
    }

    /// The region of `particle`.
    pub fn find(&mut self, particle: usize) -> Region {
        if self.sites.is_interior(particle, self.half_width) {
            return self.full_box(particle);
        }
        self.traverse_from(particle)
    }

    /// The region of `particle` by breadth-first traversal, which is also valid after links broke.
    pub fn traverse_from(&mut self, particle: usize) -> Region {
        self.traverse(particle);
        self.collect(particle)
    }

    fn full_box(&self, particle: usize) -> Region {
        let w = self.half_width;
        let [x, y, z] = self.sites.of_particle[particle].map(usize::from);
        let side = 2 * w as u32 + 1;
        let mut runs = Vec::with_capacity((side * side) as usize);
        for k in z - w..=z + w {
            for j in y - w..=y + w {
                let at = self.sites.index(x - w, j, k);
                runs.push([self.sites.particle_at[at], side]);
            }
        }
        Region {
            runs,
            size: side.pow(3),
            is_box: true,
        }
    }

    fn traverse(&mut self, particle: usize) {
        let sites = self.sites;
        self.front.clear();
        self.front.push(particle as u32);
        self.visited[particle] = true;
        for _ in 0..self.half_width {
            let (front, mut next) = (
                std::mem::take(&mut self.front),
                std::mem::take(&mut self.next),
            );
            next.clear();
            for &p in &front {
                sites.for_each_linked(p as usize, |q| {
                    if !std::mem::replace(&mut self.visited[q as usize], true) {
                        next.push(q);
                    }
                });
            }
            (self.front, self.next) = (next, front);
        }
    }

    /// Collects the runs of visited particles, and forgets these.
    fn collect(&mut self, particle: usize) -> Region {
        let w = self.half_width as i64;
        let [x, y, z] = self.sites.of_particle[particle].map(i64::from);
        let mut region = Region {
            runs: Vec::new(),
            size: 0,
            is_box: true,
        };
        for k in z - w..=z + w {
            for j in y - w..=y + w {
                let mut last = NONE;
                for i in x - w..=x + w {
                    let particles = self.sites.particles([i, j, k]);
                    region.is_box &= particles.len() < 2;
                    if particles.is_empty() {
                        last = NONE;
                    }
                    for p in particles {
                        if !std::mem::take(&mut self.visited[p as usize]) {
                            region.is_box = false;
                            last = NONE;
                            continue;
                        }
                        if last == NONE {
                            region.runs.push([p, 0]);
                        }
                        if let Some(run) = region.runs.last_mut() {
                            run[1] += 1;
                        }
                        region.size += 1;
                        last = p;
                    }
                }
            }
        }
        region
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bake::particles::find;
    use crate::testing::bodies::{ball, grid_of, pear, shapes, slit_bar, u_bar};

    fn members(region: &Region) -> Vec<u32> {
        region.runs.iter().flat_map(|r| r[0]..r[0] + r[1]).collect()
    }

    #[test]
    fn regions_are_symmetric_and_regular_where_expected() {
        for (name, grid) in shapes() {
            let (sites, _) = find(&grid).expect("particles");
            for w in 1..=3 {
                let mut finder = RegionFinder::new(&sites, w);
                let regions: Vec<Vec<u32>> = (0..sites.len())
                    .map(|p| {
                        let region = finder.find(p);
                        let list = members(&region);
                        assert_eq!(list.len(), region.size as usize);
                        assert!(list.is_sorted() && list.contains(&(p as u32)));
                        list
                    })
                    .collect();
                for (p, region) in regions.iter().enumerate() {
                    for &q in region {
                        assert!(
                            regions[q as usize].binary_search(&(p as u32)).is_ok(),
                            "{name} w={w}"
                        );
                    }
                }
            }
        }
        let share = |grid: &pliant_core::mesh::VoxelGrid, w: usize| {
            let (sites, _) = find(grid).expect("particles");
            let mut finder = RegionFinder::new(&sites, w);
            let boxes = (0..sites.len()).filter(|&p| finder.find(p).is_box).count();
            boxes as f64 / sites.len() as f64
        };
        // a block is regular everywhere; shares of the others were counted by a separate program
        assert_eq!(share(&grid_of([5, 4, 3], |_| true), 2), 1.0);
        assert!((share(&pear(), 1) - 0.61).abs() < 0.01 && share(&pear(), 2) == 1.0);
        assert!(share(&ball(5.0, 0.0), 1) < 0.7);
        assert!(share(&u_bar(1), 2) < 0.6);
    }

    #[test]
    fn copies_of_a_split_cell_do_not_see_each_other() {
        let (sites, _) = find(&slit_bar()).expect("particles");
        let lower = sites
            .particle([6, 0, 0])
            .expect("the end of the lower prong");
        let mut finder = RegionFinder::new(&sites, 3);
        let region = finder.find(lower as usize);
        // four places along the prong, three heights (its row and its copies of the split row), three layers
        assert_eq!((region.size, region.is_box), (4 * 3 * 3, false));
        let upper = sites
            .particle([6, 3, 0])
            .expect("the end of the upper prong");
        let other = members(&finder.find(upper as usize));
        assert!(
            members(&region)
                .iter()
                .all(|p| other.binary_search(p).is_err())
        );
    }

    #[test]
    fn prongs_of_a_fork_do_not_see_each_other() {
        let (sites, _) = find(&u_bar(1)).expect("particles");
        let inner = sites.particle([2, 0, 0]).expect("inner edge of a prong");
        let region = RegionFinder::new(&sites, 2).find(inner as usize);
        assert!(!region.is_box);
        // the gap is one cell wide, so the other prong is inside the box but not within two link steps
        for p in members(&region) {
            assert!(sites.of_particle[p as usize][0] <= 2);
        }
    }
}
