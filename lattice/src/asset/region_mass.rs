//! Mass and centre of mass of a region.

use pliant_core::math::Vec3;

use crate::asset::LatticeAsset;

/// Mass (kg) and centre (m) of the shares in a region.
pub(crate) fn mass_and_center(asset: &LatticeAsset, region: usize) -> (f64, Vec3) {
    let (mut mass, mut moment) = (0.0, Vec3::zeros());
    for [first, length] in asset.plan.runs(region) {
        for p in first as usize..(first + length) as usize {
            mass += asset.share[p];
            moment += asset.rest[p] * asset.share[p];
        }
    }
    (mass, moment / mass)
}
