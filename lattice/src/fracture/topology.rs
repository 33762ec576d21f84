//! Which particles a region reaches after links broke, kept up to date link by link.
//!
//! A region changes only where a way of at most `w` links led over a broken link, so that one of its ends is within `w − 1` links of the region's
//! particle. Those regions alone are searched again. Where a region changed, its particle has another share in all of its regions, so that their
//! masses and centres are summed again, in the order in which baking sums them: the numbers are those of a lattice baked without these links.

use crate::asset::LatticeAsset;
use crate::asset::lists::Lists;
use crate::asset::region::RegionFinder;
use crate::asset::sites::Sites;

/// What broken links changed.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Change {
    /// Particles whose regions are other sets than before, ascending.
    pub regions: Vec<u32>,
    /// Particles whose own share or whose region's mass or centre is another, ascending; contains `regions`.
    pub particles: Vec<u32>,
    /// Sum over these of what `misfit` was before less what it is now.
    pub released: f64,
}

/// The links of one body.
#[derive(Debug, Clone)]
pub(crate) struct Topology {
    sites: Sites,
    half_width: usize,
    marks: Vec<bool>,
}

/// The lattice with a region of its own for each particle, so that each can change alone.
pub(crate) fn with_own_regions(asset: &LatticeAsset) -> LatticeAsset {
    let mut own = asset.clone();
    if asset.regions_are_particles() {
        return own;
    }
    let count = asset.particle_count();
    let region = |p: usize| asset.region_of[p] as usize;
    own.region_of = (0..count as u32).collect();
    own.multiplicity = vec![1; count];
    own.region_size = (0..count).map(|p| asset.region_size[region(p)]).collect();
    own.region_mass = (0..count).map(|p| asset.region_mass[region(p)]).collect();
    own.region_center = (0..count).map(|p| asset.region_center[region(p)]).collect();
    if !asset.stiffness_weights.is_empty() {
        own.stiffness_weights = (0..count)
            .map(|p| asset.stiffness_weights[region(p)])
            .collect();
    }
    let mut next = 0;
    own.is_box.clear();
    for p in 0..count {
        // regions are numbered by their first particle, and it is its box that counts
        let first = region(p) == next;
        next += usize::from(first);
        own.is_box.push(first && asset.is_box[region(p)]);
    }
    own.plan.cubes = Lists::default();
    for p in 0..count {
        own.plan.cubes.push(asset.plan.cubes.row(region(p)));
    }
    own
}

impl Topology {
    /// The links of `asset`, in which each particle has a region of its own.
    pub fn new(asset: &LatticeAsset) -> Self {
        Self {
            sites: Sites::of_asset(asset),
            half_width: asset.half_width,
            marks: vec![false; asset.particle_count()],
        }
    }

    pub fn sites(&self) -> &Sites {
        &self.sites
    }

    /// Breaks `links` and brings `asset` up to date, except for its connected pieces. `misfit` is any number of a region that wants to be known
    /// before and after.
    ///
    /// Cost: about a microsecond for each region that is searched again and a tenth for each whose mass is.
    pub fn cut(
        &mut self,
        asset: &mut LatticeAsset,
        links: &[[u32; 2]],
        misfit: impl Fn(&LatticeAsset, usize) -> f64,
    ) -> Change {
        let mut near = RegionFinder::new(&self.sites, self.half_width - 1);
        let mut search = Vec::new();
        for &end in links.as_flattened() {
            let runs = near.traverse_from(end as usize).runs;
            collect(&mut self.marks, &mut search, &runs);
        }
        unmark(&mut self.marks, &mut search);
        for [p, q] in links {
            self.sites.unlink(*p, *q);
            for end in [p, q] {
                asset.links[*end as usize] = self.sites.links[*end as usize];
            }
        }
        asset.forks.clone_from(&self.sites.forks);
        let count = asset.particle_count();
        let (mut change, mut found) = (Change::default(), Vec::new());
        let mut finder = RegionFinder::new(&self.sites, self.half_width);
        for &p in &search {
            let at = p as usize;
            let region = finder.traverse_from(at);
            if asset.plan.runs(at).eq(region.runs.iter().copied()) {
                continue;
            }
            change.regions.push(p);
            found.push(region);
            // both the old region and the new one may contain particles whose sums change
            let before: Vec<[u32; 2]> = asset.plan.runs(at).collect();
            collect(&mut self.marks, &mut change.particles, &before);
        }
        unmark(&mut self.marks, &mut change.particles);
        let total = |asset: &LatticeAsset| -> f64 {
            let each = change.particles.iter().map(|&p| misfit(asset, p as usize));
            each.sum()
        };
        let before = total(asset);
        for (&p, region) in change.regions.iter().zip(found) {
            let at = p as usize;
            asset.region_size[at] = region.size;
            asset.is_box[at] = false;
            asset.share[at] = asset.mass[at] / f64::from(region.size);
            asset.plan.changed.set(at, count, region.runs);
        }
        for &p in &change.regions {
            asset.renew_pull(p as usize);
        }
        for &p in &change.particles {
            let at = p as usize;
            let (mass, center) = asset.mass_and_center(at);
            asset.region_mass[at] = mass;
            asset.region_center[at] = center;
        }
        change.released = before - total(asset);
        change
    }
}

/// Adds the particles of `runs` that are not marked yet to `list`.
fn collect(marks: &mut [bool], list: &mut Vec<u32>, runs: &[[u32; 2]]) {
    for p in runs.iter().flat_map(|r| r[0]..r[0] + r[1]) {
        if !std::mem::replace(&mut marks[p as usize], true) {
            list.push(p);
        }
    }
}

/// Clears the marks of `list` and sorts it.
fn unmark(marks: &mut [bool], list: &mut [u32]) {
    for &p in list.iter() {
        marks[p as usize] = false;
    }
    list.sort_unstable();
}
