//! A lattice as dense slabs: where sites lie in memory and what never changes about them.

use super::pack::{LINE, Numbers};
use crate::asset::LatticeAsset;

/// Slabs of constant z, each a flat plane of rows along x. Rows are followed by as many empty places as a window reads beyond them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Layout {
    pub dims: [usize; 3],
    pub half_width: usize,
    /// Places from one row to the next.
    pub pitch: usize,
    /// Places of a slab, whole lines.
    pub plane: usize,
    /// Zeros before and after a plane that windows along x and y run over.
    pub margin: usize,
}

impl Layout {
    pub fn new(asset: &LatticeAsset) -> Self {
        let [nx, ny, _] = asset.dims;
        let w = asset.half_width;
        let pitch = nx + w;
        Self {
            dims: asset.dims,
            half_width: w,
            pitch,
            plane: (ny * pitch).next_multiple_of(LINE),
            margin: (w * (pitch + 1) + 1).next_multiple_of(LINE),
        }
    }

    /// Length of a plane with both margins.
    pub fn padded(&self) -> usize {
        self.plane + 2 * self.margin
    }

    /// Slab of a site and its place there.
    pub fn place(&self, site: &[u16; 3]) -> (usize, usize) {
        let [x, y, z] = site.map(usize::from);
        (z, y * self.pitch + x)
    }
}

/// What a region and its particle need in a step, each a plane: share, one over region mass, centre of the region's mass from the particle in
/// cells (x, y, z), one over the number of regions. Masses are in units of the mean particle mass. Zero at empty sites.
pub(crate) const CONSTANTS: usize = 6;

/// The constants of all slabs.
pub(crate) fn constants(asset: &LatticeAsset, layout: &Layout) -> Numbers {
    let mut out = Numbers::zeros(layout.dims[2] * CONSTANTS * layout.plane);
    let mean = mean_mass(asset);
    for (p, site) in asset.sites.iter().enumerate() {
        let region = asset.region_of[p] as usize;
        let center = (asset.region_center[region] - asset.rest[p]) / asset.cell;
        let values = [
            asset.share[p] / mean,
            mean / asset.region_mass[region],
            center.x,
            center.y,
            center.z,
            1.0 / f64::from(asset.region_size[region]),
        ];
        let (z, at) = layout.place(site);
        for (c, value) in values.iter().enumerate() {
            out[(z * CONSTANTS + c) * layout.plane + at] = *value as f32;
        }
    }
    out
}

/// Mean mass of a particle, kg.
pub(crate) fn mean_mass(asset: &LatticeAsset) -> f64 {
    asset.mass.iter().sum::<f64>() / asset.particle_count() as f64
}
