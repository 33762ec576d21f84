//! Regions with the same particles that count once.
//!
//! Near the surface of a body regions of several particles hold the same particles. By default each counts, so that it does not matter to the motion
//! whether they are stored once. The program that the authors published counts such a region once: `|R_i|` is then the number of *different* regions
//! around particle `i`, which its mass is shared among and its goal is the mean of. Both keep momentum.
//!
//! It comes down to the weight `1/k` for each of the `k` particles with a region in common, and sizes that are sums of these weights.

use crate::asset::LatticeAsset;
use crate::asset::region_mass::mass_and_center;

/// Sizes, masses and weights as if each region were there once. The weights multiply the stiffness weights.
pub(crate) fn count_once(asset: &mut LatticeAsset) {
    let alone = |p: usize| 1.0 / f64::from(asset.multiplicity[asset.region_of[p] as usize]);
    let sizes: Vec<u32> = (0..asset.region_count())
        .map(|region| {
            let runs = asset.plan.runs(region);
            let members = runs.flat_map(|r| r[0] as usize..(r[0] + r[1]) as usize);
            // whoever shares a region is in the same regions, so the sum is a whole number
            members.map(alone).sum::<f64>().round() as u32
        })
        .collect();
    asset.region_size = sizes;
    for (p, share) in asset.share.iter_mut().enumerate() {
        let size = asset.region_size[asset.region_of[p] as usize];
        *share = asset.mass[p] / f64::from(size);
    }
    for region in 0..asset.region_count() {
        let (mass, center) = mass_and_center(asset, region);
        asset.region_mass[region] = mass;
        asset.region_center[region] = center;
    }
    asset.stiffness_weights = asset
        .multiplicity
        .iter()
        .map(|&k| 1.0 / f64::from(k))
        .collect();
}
