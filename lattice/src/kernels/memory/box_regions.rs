//! Which kernels are suitable for the shape of a lattice.

use crate::asset::LatticeAsset;
use crate::kernels::memory::arrange::MAX_SHORT_HALF_WIDTH;

/// Whether no two particles of a lattice share a site. They do where a gap splits a cell.
pub(crate) fn has_one_particle_per_site(asset: &LatticeAsset) -> bool {
    asset.sites.windows(2).all(|s| s[0] != s[1])
}

/// Whether a lattice is suitable for slabs: a well filled block, mostly boxes, and, with long windows, one particle a site.
pub(crate) fn suits_block(asset: &LatticeAsset, boxes: &[bool]) -> bool {
    let sites: usize = asset.dims.iter().product();
    let alone = asset.half_width <= MAX_SHORT_HALF_WIDTH || has_one_particle_per_site(asset);
    let filled = 10 * asset.particle_count() >= 3 * sites;
    let regular = boxes.iter().filter(|b| **b).count();
    alone && filled && 2 * regular >= asset.particle_count()
}

/// For each particle, whether its region consists of all particles of the box around it, one a site. Particles with the same region may differ in this, because their boxes
/// do.
pub(crate) fn box_regions(asset: &LatticeAsset) -> Vec<bool> {
    let [nx, ny, nz] = asset.dims;
    let at = |x: usize, y: usize, z: usize| (z * (ny + 1) + y) * (nx + 1) + x;
    // summed-volume table of particles; a large number where two share a site, so that no region is as large as the count
    let mut table = vec![0_i64; (nx + 1) * (ny + 1) * (nz + 1)];
    let mut last = None;
    for site in &asset.sites {
        let [x, y, z] = site.map(usize::from);
        let is_alone = last.replace(site) != Some(site);
        table[at(x + 1, y + 1, z + 1)] += if is_alone { 1 } else { 1 << 40 };
    }
    for z in 0..=nz {
        for y in 0..=ny {
            for x in 1..=nx {
                table[at(x, y, z)] += table[at(x - 1, y, z)];
            }
        }
        for y in 1..=ny {
            for x in 0..=nx {
                table[at(x, y, z)] += table[at(x, y - 1, z)];
            }
        }
    }
    for z in 1..=nz {
        for y in 0..=ny {
            for x in 0..=nx {
                table[at(x, y, z)] += table[at(x, y, z - 1)];
            }
        }
    }
    let w = asset.half_width;
    let count = |site: &[u16; 3]| {
        let low = site.map(|s| usize::from(s).saturating_sub(w));
        let high: [usize; 3] =
            std::array::from_fn(|k| (usize::from(site[k]) + w + 1).min(asset.dims[k]));
        let sum = |z: usize| {
            table[at(high[0], high[1], z)] + table[at(low[0], low[1], z)]
                - table[at(low[0], high[1], z)]
                - table[at(high[0], low[1], z)]
        };
        sum(high[2]) - sum(low[2])
    };
    asset
        .sites
        .iter()
        .zip(&asset.region_of)
        .map(|(site, &region)| count(site) == i64::from(asset.region_size[region as usize]))
        .collect()
}
