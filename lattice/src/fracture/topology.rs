//! Updates of the regions after links broke.
//!
//! A region changes only if a path of at most `w` links led over a broken link. One end of that link is then within `w − 1` links of the region's
//! particle. Only those regions are searched again. Where a region changed, the share of its particle changes in all regions that contain it. Their
//! masses and centres are summed again, in the order in which baking sums them: the numbers are those of a lattice baked without these links.

use crate::asset::LatticeAsset;
use crate::asset::lists::Lists;
use crate::asset::region::RegionFinder;
use crate::asset::sites::Sites;

/// What broken links changed.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct TopologyChange {
    /// Particles whose regions have changed, ascending.
    pub regions: Vec<u32>,
    /// Particles whose share has changed, or the mass or centre of whose region has, ascending; contains `regions`.
    pub particles: Vec<u32>,
    /// Decrease of the sum of `misfit` over these.
    pub released_misfit: f64,
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

    /// Breaks `links` and updates `asset`, except for its connected pieces. `misfit` is any number of a region; it is summed over the changed particles
    /// before and after the update.
    ///
    /// Cost: about a microsecond for each region that is searched again, and a tenth for each whose mass is summed again.
    pub fn cut(
        &mut self,
        asset: &mut LatticeAsset,
        links: &[[u32; 2]],
        misfit: impl Fn(&LatticeAsset, usize) -> f64,
    ) -> TopologyChange {
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
        let (mut change, mut found) = (TopologyChange::default(), Vec::new());
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
            asset.update_pull(p as usize);
        }
        for &p in &change.particles {
            let at = p as usize;
            let (mass, center) = asset.mass_and_center(at);
            asset.region_mass[at] = mass;
            asset.region_center[at] = center;
        }
        change.released_misfit = before - total(asset);
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
