//! The layouts of a lattice: block, small block or list.

use std::sync::Arc;

use crate::asset::LatticeAsset;
use crate::kernels::memory::layout::Layout;
use crate::kernels::memory::orientation::Orientation;
use crate::kernels::vector::pack::LINE;

/// Largest half-width of a block whose windows are summed directly, site by site.
pub(crate) const MAX_SHORT_HALF_WIDTH: usize = 1;

/// Particles of a slab of a list.
const LIST_SLAB_PARTICLES: usize = 1024;

impl Layout {
    /// All sites of the block, empty or not, for vectors of `lanes` numbers.
    pub fn block(asset: &LatticeAsset, lanes: usize) -> Self {
        if asset.half_width > MAX_SHORT_HALF_WIDTH {
            return Self::steady(asset, lanes);
        }
        let [nx, ny, nz] = asset.dims;
        let w = asset.half_width;
        let pitch = nx + w;
        // beyond what windows of sites read
        let others_at = ny * pitch + w * (pitch + 1);
        let others = others(asset, others_at);
        let places = others.iter().map(|[_, at]| *at as usize + 1);
        Self {
            slabs: nz,
            plane: places.max().unwrap_or(ny * pitch).next_multiple_of(LINE),
            margin: (w * (pitch + 1)).next_multiple_of(LINE),
            pitch,
            half_width: w,
            others,
            ..Self::default()
        }
    }

    /// The same for window sums whose cost does not depend on the half-width, however short they are.
    pub fn steady(asset: &LatticeAsset, lanes: usize) -> Self {
        let orientation = Orientation::cheapest(asset.dims, asset.half_width, lanes);
        Self {
            slabs: asset.dims[orientation.axes[2]],
            plane: orientation.fold.places().next_multiple_of(LINE),
            half_width: asset.half_width,
            orientation: Some(orientation),
            ..Self::default()
        }
    }

    /// All sites of the block in one slab; none has several particles.
    pub fn small_block(asset: &LatticeAsset) -> Self {
        let [nx, ny, nz] = asset.dims;
        let w = asset.half_width;
        let pitch = nx + w;
        let layer = pitch * (ny + w);
        Self {
            slabs: 1,
            plane: (nz * layer).next_multiple_of(LINE),
            margin: (w * (layer + pitch + 1)).next_multiple_of(LINE),
            pitch,
            layer,
            half_width: w,
            ..Self::default()
        }
    }

    /// Particles only.
    pub fn list(asset: &LatticeAsset) -> Self {
        let count = asset.particle_count();
        let plane = LIST_SLAB_PARTICLES.min(count.next_multiple_of(LINE));
        Self {
            slabs: count.div_ceil(plane),
            plane,
            half_width: asset.half_width,
            ..Self::default()
        }
    }
}

/// Particles that are not the first of their site, ascending, each with its place in the slab of its site: from place `at` on, one after another.
fn others(asset: &LatticeAsset, at: usize) -> Arc<[[u32; 2]]> {
    let sites = &asset.sites;
    let (mut slab, mut next) = (0, at);
    let shared = (1..sites.len()).filter(|&p| sites[p] == sites[p - 1]);
    let placed = shared.map(|p| {
        let [_, _, current] = sites[p];
        if current != slab {
            (slab, next) = (current, at);
        }
        next += 1;
        [p as u32, next as u32 - 1]
    });
    placed.collect()
}
