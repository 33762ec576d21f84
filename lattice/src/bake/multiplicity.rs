//! Counting regions with the same particles once.
//!
//! Near the surface of a body several particles have regions with the same particles. By default each of these regions counts, whether or not
//! they are stored once. The program that the authors published counts such a region once: `|R_i|` is then the number of *different* regions
//! that contain particle `i`. Its mass is divided among them, and its goal is their mean. Both choices conserve momentum.
//!
//! This is equivalent to the weight `1/k` for each of the `k` particles with a common region, and sizes that are sums of these weights.

use crate::asset::LatticeAsset;

/// Sets sizes, masses and weights as if each region existed once. These weights multiply the stiffness weights.
pub(crate) fn count_once(asset: &mut LatticeAsset) {
    let alone = |p: usize| 1.0 / f64::from(asset.multiplicity[asset.region_of[p] as usize]);
    let sizes: Vec<u32> = (0..asset.region_count())
        .map(|region| {
            // particles with a common region are in the same regions, so that the sum is an integer
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
