//! Regions with the same particles that count once.
//!
//! Near the surface of a body regions of several particles hold the same particles. By default each counts, so that it does not matter to the motion
//! whether they are stored once. The program that the authors published counts such a region once: `|R_i|` is then the number of *different* regions
//! around particle `i`, which its mass is shared among and its goal is the mean of. Both keep momentum.
//!
//! It comes down to the weight `1/k` for each of the `k` particles with a region in common, and sizes that are sums of these weights.

use crate::asset::LatticeAsset;

/// Sizes, masses and weights as if each region were there once. The weights multiply the stiffness weights.
pub(crate) fn count_once(asset: &mut LatticeAsset) {
    let alone = |p: usize| 1.0 / f64::from(asset.multiplicity[asset.region_of[p] as usize]);
    let sizes: Vec<u32> = (0..asset.region_count())
        .map(|region| {
            // whoever shares a region is in the same regions, so the sum is a whole number
            let members = asset.plan.members(region);
            members.map(alone).sum::<f64>().round() as u32
        })
        .collect();
    asset.region_size = sizes;
    asset.share_masses();
    asset.stiffness_weights = asset
        .multiplicity
        .iter()
        .map(|&k| 1.0 / f64::from(k))
        .collect();
}
