//! Which way of summing suits the shape of a lattice.

use crate::asset::LatticeAsset;

/// Whether slabs suit a lattice: one particle a site, a well filled block, short windows, mostly boxes.
pub(crate) fn suits_block(asset: &LatticeAsset, boxes: &[bool]) -> bool {
    let sites: usize = asset.dims.iter().product();
    let alone = asset.sites.windows(2).all(|s| s[0] != s[1]);
    let filled = 10 * asset.particle_count() >= 3 * sites;
    let regular = boxes.iter().filter(|b| **b).count();
    alone && filled && 2 * regular >= asset.particle_count()
}

/// For each particle, whether its region is every particle of the box around it. Regions that are the same set need not agree: the boxes
/// differ.
pub(crate) fn box_regions(asset: &LatticeAsset) -> Vec<bool> {
    let [nx, ny, nz] = asset.dims;
    let at = |x: usize, y: usize, z: usize| (z * (ny + 1) + y) * (nx + 1) + x;
    // particles before each corner
    let mut before = vec![0_i64; (nx + 1) * (ny + 1) * (nz + 1)];
    for site in &asset.sites {
        let [x, y, z] = site.map(usize::from);
        before[at(x + 1, y + 1, z + 1)] += 1;
    }
    for z in 0..=nz {
        for y in 0..=ny {
            for x in 1..=nx {
                before[at(x, y, z)] += before[at(x - 1, y, z)];
            }
        }
        for y in 1..=ny {
            for x in 0..=nx {
                before[at(x, y, z)] += before[at(x, y - 1, z)];
            }
        }
    }
    for z in 1..=nz {
        for y in 0..=ny {
            for x in 0..=nx {
                before[at(x, y, z)] += before[at(x, y, z - 1)];
            }
        }
    }
    let w = asset.half_width;
    let count = |site: &[u16; 3]| {
        let low = site.map(|s| usize::from(s).saturating_sub(w));
        let high: [usize; 3] =
            std::array::from_fn(|k| (usize::from(site[k]) + w + 1).min(asset.dims[k]));
        let sum = |z: usize| {
            before[at(high[0], high[1], z)] + before[at(low[0], low[1], z)]
                - before[at(low[0], high[1], z)]
                - before[at(high[0], low[1], z)]
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
