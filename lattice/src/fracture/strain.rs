//! Which links are stretched beyond what they bear (Rivers and James 2007, section 5.3: distance beyond a strain limit).

use pliant_core::math::Vec3;
use rayon::prelude::*;

use crate::asset::LatticeAsset;
use crate::parallel::THRESHOLD;
use crate::sites::Sites;

/// Links that a thread looks at together.
const CHUNK: usize = 1 << 14;

/// A link that is too long: its length over its length at rest, and its ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Stretched {
    pub stretch: f64,
    pub ends: [u32; 2],
    /// kind and number, which stay the same for ever
    at: [u32; 2],
}

/// All links of a body, those along an axis first, then diagonals of faces and of cells.
#[derive(Debug, Clone)]
pub(crate) struct Links {
    kinds: [Vec<[u32; 2]>; 3],
    cell: f64,
    parallel: bool,
}

impl Links {
    pub fn new(asset: &LatticeAsset, sites: &Sites) -> Self {
        let mut kinds = [const { Vec::new() }; 3];
        for p in 0..asset.particle_count() as u32 {
            sites.for_each_linked(p as usize, |q| {
                if q > p {
                    let (a, b) = (asset.sites[p as usize], asset.sites[q as usize]);
                    let apart = (0..3).filter(|&k| a[k] != b[k]).count();
                    kinds[apart.clamp(1, 3) - 1].push([p, q]);
                }
            });
        }
        Self {
            kinds,
            cell: asset.cell,
            parallel: asset.particle_count() > THRESHOLD,
        }
    }

    /// Length at rest of a kind of links, m.
    fn rest(&self, kind: usize) -> f64 {
        self.cell * ((kind + 1) as f64).sqrt()
    }

    /// All links longer than `1 + limit` times their length at rest for particles at `x`, in order. Cost: about a nanosecond and a half a link.
    pub fn beyond(&self, limit: f64, x: &[Vec3]) -> Vec<Stretched> {
        let mut all = Vec::new();
        for (kind, links) in self.kinds.iter().enumerate() {
            let longest = (self.rest(kind) * (1.0 + limit)).powi(2);
            let look = |(c, links): (usize, &[[u32; 2]])| {
                let mut found = Vec::new();
                for (k, [p, q]) in links.iter().enumerate() {
                    let squared = (x[*p as usize] - x[*q as usize]).norm_squared();
                    if squared > longest {
                        found.push([kind as u32, (c * CHUNK + k) as u32]);
                    }
                }
                found
            };
            let found: Vec<Vec<[u32; 2]>> = if self.parallel {
                links.par_chunks(CHUNK).enumerate().map(look).collect()
            } else {
                links.chunks(CHUNK).enumerate().map(look).collect()
            };
            all.extend(found.into_iter().flatten().map(|at| self.stretched(at, x)));
        }
        all
    }

    fn stretched(&self, at: [u32; 2], x: &[Vec3]) -> Stretched {
        let ends = self.kinds[at[0] as usize][at[1] as usize];
        let length = (x[ends[0] as usize] - x[ends[1] as usize]).norm();
        Stretched {
            stretch: length / self.rest(at[0] as usize),
            ends,
            at,
        }
    }

    /// Those of `links` that are beyond the limit for particles at `x`, the longest first, at most `most`.
    pub fn still_beyond(
        &self,
        limit: f64,
        links: &[Stretched],
        x: &[Vec3],
        most: usize,
    ) -> Vec<Stretched> {
        let now = links.iter().map(|link| self.stretched(link.at, x));
        let mut still: Vec<Stretched> = now.filter(|link| link.stretch > 1.0 + limit).collect();
        still.sort_by(|a, b| b.stretch.total_cmp(&a.stretch).then(a.at.cmp(&b.at)));
        still.truncate(most);
        still
    }

    /// Never finds this link again.
    pub fn forget(&mut self, link: &Stretched) {
        let [kind, number] = link.at;
        let end = link.ends[0];
        self.kinds[kind as usize][number as usize] = [end, end];
    }

    /// Never finds the link between two particles again; false when there is none.
    pub fn forget_between(&mut self, ends: [u32; 2]) -> bool {
        let ends = [ends[0].min(ends[1]), ends[0].max(ends[1])];
        for links in &mut self.kinds {
            let from = links.partition_point(|l| l[0] < ends[0]);
            let same = links[from..].iter_mut().take_while(|l| l[0] == ends[0]);
            for link in same {
                if *link == ends {
                    *link = [ends[0]; 2];
                    return true;
                }
            }
        }
        false
    }
}
