//! Regions that broken links have changed since the kernels were prepared.
//!
//! Their sums are computed particle by particle and replace those of the old regions, whichever kernel computes these. The cost of a break
//! is therefore that of its own regions.

use crate::asset::LatticeAsset;
use crate::asset::sites::NONE;
use crate::kernels::irregular::group::{Group, ZERO_GROUP};
use crate::kernels::irregular::listed::offset_between;
use crate::kernels::irregular::pieces::Weighting;
use crate::kernels::memory::layout::Layout;
use crate::numerics::parallel::{PARALLEL_THRESHOLD, fill};

/// Particles one site apart along x that are one place apart in a slab.
#[derive(Debug, Clone, Copy)]
struct Run {
    slab: u32,
    place: u32,
    count: u32,
    /// from the region's particle to the first one at rest, cells
    shift: [f32; 3],
}

/// The changed regions of a body, with their buffers.
#[derive(Debug, Clone)]
pub(crate) struct ChangedRegions {
    parallel: bool,
    plane: usize,
    /// entry of each particle whose region has changed, or [`NONE`]
    entries: Vec<u32>,
    /// slab and place of each entry
    places: Vec<[u32; 2]>,
    runs: Vec<Vec<Run>>,
    /// entries of each slab
    of_slab: Vec<Vec<u32>>,
    /// places of each slab that some changed region contains
    sources: Vec<Vec<u32>>,
    is_source: Vec<bool>,
    /// of each entry
    sums: Vec<Group>,
}

impl ChangedRegions {
    /// No region has changed.
    pub fn new(asset: &LatticeAsset, layout: &Layout) -> Self {
        Self {
            parallel: false,
            plane: layout.plane,
            entries: vec![NONE; asset.particle_count()],
            places: Vec::new(),
            runs: Vec::new(),
            of_slab: vec![Vec::new(); layout.slabs],
            sources: vec![Vec::new(); layout.slabs],
            is_source: vec![false; layout.slabs * layout.plane],
            sums: Vec::new(),
        }
    }

    /// Updates the region of particle `p`.
    pub fn update(&mut self, asset: &LatticeAsset, layout: &Layout, p: u32) {
        let at = p as usize;
        if self.entries[at] == NONE {
            self.entries[at] = self.places.len() as u32;
            let (slab, place) = layout.place(at, &asset.sites[at]);
            self.of_slab[slab].push(self.places.len() as u32);
            self.places.push([slab as u32, place as u32]);
            self.runs.push(Vec::new());
            self.sums.push(ZERO_GROUP);
            self.parallel = self.places.len() > PARALLEL_THRESHOLD;
        }
        let mut runs: Vec<Run> = Vec::new();
        let region = asset.region_of[at] as usize;
        let mut last = None;
        for q in asset.plan.runs(region).flat_map(|r| r[0]..r[0] + r[1]) {
            let site = asset.sites[q as usize];
            let (slab, place) = layout.place(q as usize, &site);
            let index = slab * layout.plane + place;
            if !std::mem::replace(&mut self.is_source[index], true) {
                self.sources[slab].push(place as u32);
            }
            let current = (slab, place, site);
            let follows = last.is_some_and(|(s, a, b): (usize, usize, [u16; 3])| {
                s == slab && a + 1 == place && [b[0] + 1, b[1], b[2]] == site
            });
            match runs.last_mut().filter(|_| follows) {
                Some(run) => run.count += 1,
                None => runs.push(Run {
                    slab: slab as u32,
                    place: place as u32,
                    count: 1,
                    shift: offset_between(asset, p, q),
                }),
            }
            last = Some(current);
        }
        self.runs[self.entries[at] as usize] = runs;
    }

    /// Sums the numbers of the particles of each region, which `value` gives by slab and place.
    pub fn sum(&mut self, weighting: impl Weighting, value: impl Fn(usize, usize) -> Group + Sync) {
        let all = &self.runs;
        fill(self.parallel, &mut self.sums, |start, sums| {
            for (out, runs) in sums.iter_mut().zip(&all[start..]) {
                *out = ZERO_GROUP;
                for_each_particle(runs, |slab, at, shift| {
                    weighting.add_particle(out, &value(slab, at), shift);
                });
            }
        });
    }

    /// Calls `write` with the sums of a slab's entries and their places.
    #[inline(always)]
    pub fn replace(&self, slab: usize, mut write: impl FnMut(&Group, usize)) {
        for &entry in &self.of_slab[slab] {
            write(
                &self.sums[entry as usize],
                self.places[entry as usize][1] as usize,
            );
        }
    }

    /// Stores the contributions of the regions at a slab's sources; `contributions` has an entry for each place of the slab.
    #[inline(always)]
    pub fn store(&self, slab: usize, contributions: &mut [Group], get: impl Fn(usize) -> Group) {
        for &at in &self.sources[slab] {
            contributions[at as usize] = get(at as usize);
        }
    }

    /// Sums the `contributions` of the members of each changed region, which are stored by slab and place, and calls `write` with slab, place and sum.
    pub fn sum_contributions(
        &mut self,
        contributions: &[Group],
        weighting: impl Weighting,
        mut write: impl FnMut(usize, usize, &Group),
    ) {
        let plane = self.plane;
        self.sum(weighting, |slab, at| contributions[slab * plane + at]);
        for (sum, [slab, at]) in self.sums.iter().zip(&self.places) {
            write(*slab as usize, *at as usize, sum);
        }
    }
}

/// Calls `visit` with slab, place and distance (cells) of every particle of a region.
#[inline(always)]
fn for_each_particle(runs: &[Run], mut visit: impl FnMut(usize, usize, [f32; 3])) {
    for run in runs {
        let [x, y, z] = run.shift;
        for k in 0..run.count {
            let at = (run.place + k) as usize;
            visit(run.slab as usize, at, [x + k as f32, y, z]);
        }
    }
}
