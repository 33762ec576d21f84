//! Regions that links have changed since the kernels were prepared.
//!
//! Their sums are added up particle by particle and put where those of the old regions stand, whichever way these are summed, so that a break
//! costs nothing but its own regions. What their members say is kept at the places where it is asked for.

use crate::asset::LatticeAsset;
use crate::asset::sites::NONE;
use crate::kernels::irregular::group::{Group, NOTHING};
use crate::kernels::matching::motion_fields::field_of;
use crate::kernels::memory::channels::CONSTANTS;
use crate::kernels::memory::layout::Layout;
use crate::numerics::parallel::fill;

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
    /// what the regions of the sources say, by slab and place
    pub said: Vec<Group>,
    /// of each entry
    sums: Vec<Group>,
}

impl ChangedRegions {
    /// No region has changed. `keeps` tells whether what regions say has to be kept here.
    pub fn new(asset: &LatticeAsset, layout: &Layout, keeps: bool) -> Self {
        let places = layout.slabs * layout.plane;
        Self {
            parallel: false,
            plane: layout.plane,
            entries: vec![NONE; asset.particle_count()],
            places: Vec::new(),
            runs: Vec::new(),
            of_slab: vec![Vec::new(); layout.slabs],
            sources: vec![Vec::new(); layout.slabs],
            is_source: vec![false; places],
            said: vec![NOTHING; if keeps { places } else { 0 }],
            sums: Vec::new(),
        }
    }

    /// Takes the region of particle `p` as it is now.
    pub fn update(&mut self, asset: &LatticeAsset, layout: &Layout, p: u32) {
        let at = p as usize;
        if self.entries[at] == NONE {
            self.entries[at] = self.places.len() as u32;
            let (slab, place) = layout.place(at, &asset.sites[at]);
            self.of_slab[slab].push(self.places.len() as u32);
            self.places.push([slab as u32, place as u32]);
            self.runs.push(Vec::new());
            self.sums.push(NOTHING);
            self.parallel = self.places.len() > crate::numerics::parallel::PARALLEL_THRESHOLD;
        }
        let home = asset.sites[at];
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
            let here = (slab, place, site);
            let follows = last.is_some_and(|(s, a, b): (usize, usize, [u16; 3])| {
                s == slab && a + 1 == place && [b[0] + 1, b[1], b[2]] == site
            });
            match runs.last_mut().filter(|_| follows) {
                Some(run) => run.count += 1,
                None => runs.push(Run {
                    slab: slab as u32,
                    place: place as u32,
                    count: 1,
                    shift: std::array::from_fn(|k| f32::from(site[k]) - f32::from(home[k])),
                }),
            }
            last = Some(here);
        }
        self.runs[self.entries[at] as usize] = runs;
    }

    /// Sums the moments of `positions` about each region's particle.
    pub fn sum_moments(&mut self, constants: &[f32], positions: &[f32]) {
        let plane = self.plane;
        self.sum(|out, slab, at, shift| {
            let share = constants[slab * CONSTANTS * plane + at];
            for c in 0..3 {
                let a = positions[(slab * 3 + c) * plane + at] * share;
                out[0][c] += a;
                for axis in 0..3 {
                    out[1 + axis][c] += a * shift[axis];
                }
            }
        });
    }

    /// Sums what damping needs of `positions` and `velocities`.
    pub fn sum_motions(&mut self, constants: &[f32], positions: &[f32], velocities: &[f32]) {
        let plane = self.plane;
        self.sum(|out, slab, at, _| {
            let share = constants[slab * CONSTANTS * plane + at];
            let vector = |from: &[f32]| [0, 1, 2].map(|c| from[(slab * 3 + c) * plane + at]);
            add(out, &field_of(share, vector(positions), vector(velocities)));
        });
    }

    /// Adds up what `term` adds for the slab, place and distance (cells) of every particle of each region.
    fn sum(&mut self, term: impl Fn(&mut Group, usize, usize, [f32; 3]) + Sync) {
        let all = &self.runs;
        fill(self.parallel, &mut self.sums, |start, sums| {
            for (out, runs) in sums.iter_mut().zip(&all[start..]) {
                *out = NOTHING;
                each(runs, |slab, at, shift| term(out, slab, at, shift));
            }
        });
    }

    /// Hands the sums of a slab's entries to `put`, with their places.
    #[inline(always)]
    pub fn replace(&self, slab: usize, mut put: impl FnMut(&Group, usize)) {
        for &entry in &self.of_slab[slab] {
            put(
                &self.sums[entry as usize],
                self.places[entry as usize][1] as usize,
            );
        }
    }

    /// Keeps what the regions at a slab's sources say; `said` are the places of the slab.
    #[inline(always)]
    pub fn keep(&self, slab: usize, said: &mut [Group], get: impl Fn(usize) -> Group) {
        for &at in &self.sources[slab] {
            said[at as usize] = get(at as usize);
        }
    }

    /// Sums what the members of each changed region said about places, and hands it to `put` with slab and place. `elsewhere` has what was said where it is not kept
    /// here.
    pub fn goals(&mut self, elsewhere: &[Group], put: impl FnMut(usize, usize, &Group)) {
        self.sum_said(elsewhere, put, |out, [seen, columns @ ..], shift| {
            for c in 0..3 {
                out[0][c] += seen[c]
                    - columns[0][c] * shift[0]
                    - columns[1][c] * shift[1]
                    - columns[2][c] * shift[2];
            }
        });
    }

    /// The same of motions.
    pub fn motions(&mut self, elsewhere: &[Group], put: impl FnMut(usize, usize, &Group)) {
        self.sum_said(elsewhere, put, |out, said, _| add(out, said));
    }

    fn sum_said(
        &mut self,
        elsewhere: &[Group],
        mut put: impl FnMut(usize, usize, &Group),
        term: impl Fn(&mut Group, &Group, [f32; 3]) + Sync,
    ) {
        let (plane, kept) = (self.plane, std::mem::take(&mut self.said));
        let said = if kept.is_empty() { elsewhere } else { &kept };
        self.sum(|out, slab, at, shift| term(out, &said[slab * plane + at], shift));
        self.said = kept;
        for (sum, [slab, at]) in self.sums.iter().zip(&self.places) {
            put(*slab as usize, *at as usize, sum);
        }
    }
}

/// Calls `visit` with slab, place and distance (cells) of every particle of a region.
#[inline(always)]
fn each(runs: &[Run], mut visit: impl FnMut(usize, usize, [f32; 3])) {
    for run in runs {
        let [x, y, z] = run.shift;
        for k in 0..run.count {
            let at = (run.place + k) as usize;
            visit(run.slab as usize, at, [x + k as f32, y, z]);
        }
    }
}

#[inline(always)]
fn add(sum: &mut Group, value: &Group) {
    for (sum, value) in sum.iter_mut().zip(value) {
        for k in 0..4 {
            sum[k] += value[k];
        }
    }
}
