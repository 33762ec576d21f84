//! Where the border of the body cuts lattice edges, and the warping of sites onto cut points that come too close.

use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::mesh::Csr;
use pliant_core::mesh::adjacency::sorted_set;
use rayon::prelude::*;

use crate::error::MeshingError;
use crate::geometry::solid::Solid;
use crate::tetrahedralise::stuffing::lattice::{Lattice, Signs};

/// A cut point closer to a site than this share of the edge warps the site (Labelle and Shewchuk 2007, the thresholds of
/// the bound of 10.7 to 164.8 degrees).
const LONG_WARP_THRESHOLD: f64 = 0.24999;
const SHORT_WARP_THRESHOLD: f64 = 0.41189;

/// Cut points are found to this share of the lattice spacing.
const CUT_TOLERANCE: f64 = 1e-4;

/// One lattice edge from an inside site to an outside site.
#[derive(Debug, Clone, Copy)]
pub struct Cut {
    /// Site inside.
    pub inside: u32,
    /// Site outside.
    pub outside: u32,
    /// Whether the edge is a long one.
    pub long: bool,
    /// Its length, m.
    pub length: f64,
    /// Parameter of the border along the edge, 0 at the inside site, 1 at the outside site.
    pub at: f64,
}

impl Cut {
    fn threshold(&self) -> f64 {
        if self.long {
            LONG_WARP_THRESHOLD
        } else {
            SHORT_WARP_THRESHOLD
        }
    }

    /// Distance from `site`, one of its ends, as a share of the edge.
    fn share_from(&self, site: u32) -> f64 {
        if site == self.inside {
            self.at
        } else {
            1.0 - self.at
        }
    }
}

/// All cut edges of a lattice.
#[derive(Debug, Clone)]
pub struct Cuts {
    /// The cut edges, ascending by (inside, outside).
    pub edges: Vec<Cut>,
    /// Sites with a cut edge, ascending.
    pub sites: Vec<u32>,
    /// Cut edges of each entry of `sites`.
    pub of_site: Csr,
}

impl Cuts {
    /// Finds all cut points by regula falsi on the signed distance (Illinois variant). Correctness depends on its sign
    /// only, not on its magnitude.
    ///
    /// # Errors
    /// [`MeshingError::Cancelled`].
    pub fn find<S: Solid>(
        solid: &S,
        lattice: &Lattice,
        signs: &Signs,
        progress: &Progress,
    ) -> Result<Self, MeshingError> {
        let mut edges = Vec::new();
        let mut around = Vec::new();
        for (site, _) in signs.inside.iter().enumerate().filter(|(_, i)| **i) {
            let site = site as u32;
            lattice.neighbours(site, &mut around);
            for &outside in around.iter().filter(|&&n| !signs.inside[n as usize]) {
                edges.push(Cut {
                    inside: site,
                    outside,
                    long: lattice.is_long(site, outside),
                    length: (lattice.position(site) - lattice.position(outside)).norm(),
                    at: 0.5,
                });
            }
        }
        edges.sort_unstable_by_key(|c| (c.inside, c.outside));
        for chunk in edges.chunks_mut(4096) {
            progress.check()?;
            chunk
                .par_iter_mut()
                .for_each(|cut| cut.at = locate(solid, lattice, signs, cut));
        }
        let sites = sorted_set(edges.iter().flat_map(|c| [c.inside, c.outside]));
        let row = |site: u32| sites.partition_point(|&s| s < site) as u32;
        let pairs: Vec<(u32, u32)> = edges
            .iter()
            .enumerate()
            .flat_map(|(k, c)| [(row(c.inside), k as u32), (row(c.outside), k as u32)])
            .collect();
        let of_site = Csr::from_pairs(sites.len(), pairs.iter().copied());
        Ok(Self {
            edges,
            sites,
            of_site,
        })
    }

    /// Number of the cut between two sites.
    pub fn between(&self, inside: u32, outside: u32) -> Option<u32> {
        self.edges
            .binary_search_by_key(&(inside, outside), |c| (c.inside, c.outside))
            .ok()
            .map(|k| k as u32)
    }

    /// Position of a cut point, m. A cut point too close to a site that is not warped is clamped to the warping threshold, so that
    /// the angle bound holds there as well.
    pub fn position(&self, lattice: &Lattice, cut: u32) -> Vec3 {
        let c = &self.edges[cut as usize];
        self.point_at(lattice, cut, c.at.clamp(c.threshold(), 1.0 - c.threshold()))
    }

    /// Where a site that was moved to `cut` lies: exactly on the border, m.
    pub fn border_position(&self, lattice: &Lattice, cut: u32) -> Vec3 {
        self.point_at(lattice, cut, self.edges[cut as usize].at)
    }

    fn point_at(&self, lattice: &Lattice, cut: u32, at: f64) -> Vec3 {
        let c = &self.edges[cut as usize];
        lattice.position(c.inside) * (1.0 - at) + lattice.position(c.outside) * at
    }

    /// Moves every site with a cut point closer than the threshold to the nearest one, in ascending order of sites; all
    /// cut points on the edges of a moved site vanish. Sites marked in `fixed` stay where they are. The result has an entry
    /// for each of [`Cuts::sites`]: the cut it was moved to, if any.
    pub fn warp(&self, fixed: &[bool]) -> Vec<Option<u32>> {
        let mut is_available = vec![true; self.edges.len()];
        let mut moved_to = vec![None; self.sites.len()];
        for (row, &site) in self.sites.iter().enumerate() {
            if fixed[row] {
                continue;
            }
            let mut best: Option<(f64, u32)> = None;
            for &k in self.of_site.row(row) {
                let cut = &self.edges[k as usize];
                let share = cut.share_from(site);
                if !is_available[k as usize] || share >= cut.threshold() {
                    continue;
                }
                let distance = share * cut.length;
                if best.is_none_or(|(d, _)| distance < d) {
                    best = Some((distance, k));
                }
            }
            if let Some((_, k)) = best {
                moved_to[row] = Some(k);
                for &k in self.of_site.row(row) {
                    is_available[k as usize] = false;
                }
            }
        }
        moved_to
    }
}

/// Parameter of the border along one cut edge.
fn locate<S: Solid>(solid: &S, lattice: &Lattice, signs: &Signs, cut: &Cut) -> f64 {
    let (p, q) = (lattice.position(cut.inside), lattice.position(cut.outside));
    let tolerance = CUT_TOLERANCE * lattice.spacing;
    let (mut a, mut b) = (0.0, 1.0);
    let mut fa = signs.distance(cut.inside).unwrap_or(-tolerance).min(0.0);
    let mut fb = signs.distance(cut.outside).unwrap_or(tolerance).max(0.0);
    let mut last_side = 0;
    for round in 0..40 {
        // bisection when the secant stalls
        let t = if round % 4 == 3 || fb - fa <= 0.0 {
            0.5 * (a + b)
        } else {
            (a - fa * (b - a) / (fb - fa)).clamp(a, b)
        };
        let f = solid.signed_distance(&(p * (1.0 - t) + q * t));
        if f.abs() <= tolerance || (b - a) <= CUT_TOLERANCE {
            return t;
        }
        if f < 0.0 {
            (a, fa) = (t, f);
            if last_side == -1 {
                fb *= 0.5;
            }
            last_side = -1;
        } else {
            (b, fb) = (t, f);
            if last_side == 1 {
                fa *= 0.5;
            }
            last_side = 1;
        }
    }
    0.5 * (a + b)
}
