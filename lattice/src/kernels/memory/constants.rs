//! The constants of the particles and regions of a lattice, in planes.

use crate::asset::LatticeAsset;
use crate::kernels::memory::channels::CONSTANTS;
use crate::kernels::memory::layout::Layout;
use crate::kernels::vector::pack::Numbers;

/// The constants of all slabs.
pub(crate) fn constants(asset: &LatticeAsset, layout: &Layout) -> Numbers {
    let mut out = layout.planes(CONSTANTS);
    let mean = asset.mass.iter().sum::<f64>() / asset.particle_count() as f64;
    for (p, site) in asset.sites.iter().enumerate() {
        let values = constants_of(asset, p, mean);
        let (slab, at) = layout.place(p, site);
        for (c, value) in values.iter().enumerate() {
            out[(slab * CONSTANTS + c) * layout.plane + at] = *value as f32;
        }
    }
    out
}

/// The constants of particle `p`; `mean` is the mean mass of a particle, kg.
pub(crate) fn constants_of(asset: &LatticeAsset, p: usize, mean: f64) -> [f64; CONSTANTS] {
    let region = asset.region_of[p] as usize;
    let center = (asset.region_center[region] - asset.rest[p]) / asset.cell;
    [
        asset.share[p] / mean,
        mean / asset.region_mass[region],
        center.x,
        center.y,
        center.z,
        1.0 / f64::from(asset.region_size[region]),
    ]
}
