//! The body-centred cubic lattice and which of its sites are inside the body.

use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::math::bounds::Aabb;
use rayon::prelude::*;

use crate::error::{MeshingError, positive};
use crate::geometry::marching_tetrahedra::{NEIGHBOURS, tetrahedra};
use crate::geometry::solid::Solid;

/// The most sites a lattice may have.
pub const SITE_LIMIT: u64 = 1 << 26;

/// Cells along the side of a block that is sampled or skipped as a whole.
const BLOCK_CELLS: usize = 4;

/// Body-centred cubic lattice: corners and centres of a grid of cubic cells.
///
/// Sites are addressed by integers in half cells: all even for corners, all odd for centres. Every tetrahedron of the
/// lattice has two opposite long edges (one cell) and four short ones (√3/2 cells).
#[derive(Debug, Clone)]
pub struct Lattice {
    origin: Vec3,
    /// Edge of a cell, m.
    pub spacing: f64,
    cells: [usize; 3],
}

impl Lattice {
    /// A lattice around `bounds` with a margin of at least one cell on every side, centred on it.
    ///
    /// # Errors
    /// [`MeshingError::GridTooLarge`] beyond [`SITE_LIMIT`], [`MeshingError::BadSize`] for a bad spacing or box.
    pub fn around(bounds: &Aabb, spacing: f64) -> Result<Self, MeshingError> {
        positive("the lattice spacing", spacing)?;
        let size = bounds.size();
        if bounds.is_empty() || !size.iter().all(|s| s.is_finite()) {
            return Err(MeshingError::BadSize {
                what: "the bounding box",
                value: bounds.diagonal(),
            });
        }
        let exact = [0, 1, 2].map(|axis| (size[axis] / spacing).ceil() + 2.0);
        let sites = 2.0 * exact[0] * exact[1] * exact[2];
        if sites > SITE_LIMIT as f64 {
            return Err(MeshingError::GridTooLarge {
                sites: sites as u64,
                limit: SITE_LIMIT,
                min_cell: spacing * (sites / SITE_LIMIT as f64).cbrt() * 1.01,
            });
        }
        let cells = exact.map(|n| n as usize);
        let extent = Vec3::from(cells.map(|n| n as f64)) * spacing;
        Ok(Self {
            origin: bounds.center() - extent * 0.5,
            spacing,
            cells,
        })
    }

    fn corner_count(&self) -> usize {
        self.cells.iter().map(|n| n + 1).product()
    }

    /// Half-cell coordinates of a site.
    pub fn coordinates(&self, site: u32) -> [i32; 3] {
        let corners = self.corner_count();
        let (at, dims, odd) = if (site as usize) < corners {
            (site as usize, self.cells.map(|n| n + 1), 0)
        } else {
            (site as usize - corners, self.cells, 1)
        };
        let (i, rest) = (at % dims[0], at / dims[0]);
        [i, rest % dims[1], rest / dims[1]].map(|c| 2 * c as i32 + odd)
    }

    /// The site at half-cell coordinates; `None` outside the lattice or where there is no site.
    pub fn site(&self, c: [i32; 3]) -> Option<u32> {
        let odd = c[0] & 1;
        if c.iter().any(|x| x & 1 != odd) {
            return None;
        }
        let extra = usize::from(odd == 0);
        let dims = self.cells.map(|n| n + extra);
        if (0..3).any(|axis| c[axis] < 0 || (c[axis] >> 1) as usize >= dims[axis]) {
            return None;
        }
        let [i, j, k] = c.map(|x| (x >> 1) as usize);
        let offset = if odd == 1 { self.corner_count() } else { 0 };
        Some((offset + (k * dims[1] + j) * dims[0] + i) as u32)
    }

    /// Sites of the block whose lowest corner is at half-cell coordinates `first`; blocks share no site.
    fn block_sites(&self, first: [i32; 3]) -> Vec<u32> {
        let side = BLOCK_CELLS as i32;
        let mut sites = Vec::with_capacity(2 * BLOCK_CELLS * BLOCK_CELLS * BLOCK_CELLS);
        for odd in [0, 1] {
            for k in 0..side {
                for j in 0..side {
                    for i in 0..side {
                        let c = [i, j, k].map(|x| 2 * x + odd);
                        sites.extend(self.site([
                            first[0] + c[0],
                            first[1] + c[1],
                            first[2] + c[2],
                        ]));
                    }
                }
            }
        }
        sites
    }

    /// Number of sites.
    pub fn site_count(&self) -> usize {
        self.corner_count() + self.cells.iter().product::<usize>()
    }

    /// Position of a site, m.
    pub fn position(&self, site: u32) -> Vec3 {
        self.origin + Vec3::from(self.coordinates(site).map(f64::from)) * (0.5 * self.spacing)
    }

    /// Writes the sites that share an edge with `site` to `out`.
    pub fn neighbours(&self, site: u32, out: &mut Vec<u32>) {
        let c = self.coordinates(site);
        let existing = NEIGHBOURS
            .iter()
            .filter_map(|step| self.site([0, 1, 2].map(|a| c[a] + step[a] as i32)));
        out.clear();
        out.extend(existing);
    }

    /// Whether two neighbouring sites are joined by a long edge (both corners or both centres of cells).
    pub fn is_long(&self, a: u32, b: u32) -> bool {
        let corners = self.corner_count() as u32;
        (a < corners) == (b < corners)
    }

    /// All tetrahedra that `keep` accepts, positively oriented, in a fixed order.
    pub fn tetrahedra(&self, keep: &(dyn Fn(&[u32; 4]) -> bool + Sync)) -> Vec<[u32; 4]> {
        let [nx, ny, nz] = self.cells.map(|n| n as i32);
        (0..nz)
            .into_par_iter()
            .flat_map_iter(|k| {
                let mut kept = Vec::new();
                for (j, i) in (0..ny).flat_map(|j| (0..nx).map(move |i| (j, i))) {
                    let center = [i, j, k].map(|c| i64::from(2 * c + 1));
                    let sites = tetrahedra(center).filter_map(|tet| {
                        match tet.map(|q| self.site(q.map(|c| c as i32))) {
                            [Some(a), Some(b), Some(c), Some(d)] => Some([a, b, c, d]),
                            _ => None,
                        }
                    });
                    kept.extend(sites.filter(keep));
                }
                kept
            })
            .collect()
    }

    /// Determines which sites are inside.
    ///
    /// A block of cells is filled without sampling where the distance at its centre shows that the border does not cross
    /// it. So the cost grows with the surface, not with the box.
    ///
    /// # Errors
    /// [`MeshingError::Cancelled`].
    pub fn sample<S: Solid>(&self, solid: &S, progress: &Progress) -> Result<Signs, MeshingError> {
        let blocks = self.cells.map(|n| n / BLOCK_CELLS + 1);
        let mut inside = vec![false; self.site_count()];
        let mut distances = Vec::new();
        // a neighbour of a site of the block may lie one cell outside it
        let reach = (BLOCK_CELLS as f64 * 0.5 * 3.0_f64.sqrt() + 1.0) * self.spacing * (1.0 + 1e-9);
        for layer in 0..blocks[2] {
            progress.check()?;
            let found: Vec<(Vec<u32>, BlockSample)> = (0..blocks[0] * blocks[1])
                .into_par_iter()
                .map(|at| {
                    let first = [at % blocks[0], at / blocks[0], layer]
                        .map(|b| (2 * BLOCK_CELLS * b) as i32);
                    let sites = self.block_sites(first);
                    let middle = Vec3::from(first.map(|c| f64::from(c) + BLOCK_CELLS as f64));
                    let distance =
                        solid.signed_distance(&(self.origin + middle * (0.5 * self.spacing)));
                    let sample = if distance > reach {
                        BlockSample::Outside
                    } else if distance < -reach {
                        BlockSample::Inside
                    } else {
                        let at_site = |&s: &u32| solid.signed_distance(&self.position(s));
                        BlockSample::Mixed(sites.iter().map(at_site).collect())
                    };
                    (sites, sample)
                })
                .collect();
            for (sites, sample) in found {
                match sample {
                    BlockSample::Outside => {}
                    BlockSample::Inside => sites.iter().for_each(|&s| inside[s as usize] = true),
                    BlockSample::Mixed(values) => {
                        for (&s, &d) in sites.iter().zip(&values) {
                            inside[s as usize] = d < 0.0;
                            distances.push((s, d));
                        }
                    }
                }
            }
        }
        Ok(Signs::new(inside, distances))
    }
}

/// Which sites are inside, and the distances where they were computed.
#[derive(Debug, Clone, Default)]
pub struct Signs {
    /// Whether each site is inside.
    pub inside: Vec<bool>,
    /// signed distances near the border, ascending by site, m
    distances: Vec<(u32, f64)>,
}

impl Signs {
    /// Signs of all sites, and `distances` (m) for those near the border in any order.
    pub fn new(inside: Vec<bool>, mut distances: Vec<(u32, f64)>) -> Self {
        distances.sort_unstable_by_key(|&(s, _)| s);
        Self { inside, distances }
    }

    /// Signed distance at a site near the border, m; `None` far from it.
    pub fn distance(&self, site: u32) -> Option<f64> {
        let at = self
            .distances
            .binary_search_by_key(&site, |&(s, _)| s)
            .ok()?;
        Some(self.distances[at].1)
    }

    /// Fills single outside sites whose neighbours are all inside: bubbles too small for this lattice.
    pub fn fill_bubbles(&mut self, lattice: &Lattice) {
        let mut around = Vec::new();
        let mut enclosed = Vec::new();
        for &(s, _) in &self.distances {
            if self.inside[s as usize] {
                continue;
            }
            lattice.neighbours(s, &mut around);
            if !around.is_empty() && around.iter().all(|&n| self.inside[n as usize]) {
                enclosed.push(s);
            }
        }
        for s in enclosed {
            self.inside[s as usize] = true;
        }
    }
}

enum BlockSample {
    Outside,
    Inside,
    /// distances of the block's sites
    Mixed(Vec<f64>),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_and_coordinates_are_inverse_and_tetrahedra_fill_the_middle() {
        let bounds = Aabb {
            min: Vec3::zeros(),
            max: Vec3::new(3.0, 2.0, 1.0),
        };
        let lattice = Lattice::around(&bounds, 1.0).expect("a small lattice");
        for site in 0..lattice.site_count() as u32 {
            assert_eq!(lattice.site(lattice.coordinates(site)), Some(site));
        }
        let tets = lattice.tetrahedra(&|_| true);
        // all of the same volume: a twelfth of a cell, positively oriented
        for tet in &tets {
            let [a, b, c, d] = tet.map(|s| lattice.position(s));
            let volume = (b - a).dot(&(c - a).cross(&(d - a))) / 6.0;
            assert!((volume - 1.0 / 12.0).abs() < 1e-12);
        }
        // every site of the box itself is surrounded by its 24 tetrahedra
        let inner =
            (0..lattice.site_count() as u32).filter(|&s| bounds.contains(&lattice.position(s)));
        for site in inner {
            assert_eq!(tets.iter().filter(|t| t.contains(&site)).count(), 24);
        }
        let far = Lattice::around(&bounds, 1e-3);
        assert!(matches!(far, Err(MeshingError::GridTooLarge { .. })));
    }
}
