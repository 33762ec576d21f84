//! Which layout a lattice gets: block, small block or list.

use std::sync::Arc;

use crate::asset::LatticeAsset;
use crate::kernels::memory::layout::Layout;
use crate::kernels::memory::orientation::Orientation;
use crate::kernels::vector::pack::LINE;

/// Longest half-width of a block whose windows are added up site by site.
const SHORT: usize = 1;

/// Particles of a slab of a list.
const LISTED: usize = 1024;

impl Layout {
    /// All sites of the block, empty or not, for vectors of `lanes` numbers.
    pub fn block(asset: &LatticeAsset, lanes: usize) -> Self {
        if asset.half_width > SHORT {
            return Self::steady(asset, lanes);
        }
        let [nx, ny, nz] = asset.dims;
        let w = asset.half_width;
        let pitch = nx + w;
        Self {
            slabs: nz,
            plane: (ny * pitch).next_multiple_of(LINE),
            margin: (w * (pitch + 1)).next_multiple_of(LINE),
            pitch,
            layer: 0,
            half_width: w,
            orientation: None,
            others: Arc::default(),
            others_at: 0,
        }
    }

    /// The same for windows at a cost that does not depend on their length, however short they are.
    pub fn steady(asset: &LatticeAsset, lanes: usize) -> Self {
        let orientation = Orientation::of(asset.dims, asset.half_width, lanes);
        Self {
            slabs: asset.dims[orientation.axes[2]],
            plane: orientation.fold.places().next_multiple_of(LINE),
            margin: 0,
            pitch: 0,
            layer: 0,
            half_width: asset.half_width,
            orientation: Some(orientation),
            others: Arc::default(),
            others_at: 0,
        }
    }

    /// All sites of the block in one slab, then what shares a site with another particle.
    pub fn small_block(asset: &LatticeAsset) -> Self {
        let [nx, ny, nz] = asset.dims;
        let w = asset.half_width;
        let pitch = nx + w;
        let layer = pitch * (ny + w);
        let sites = &asset.sites;
        let others: Arc<[u32]> = (1..sites.len())
            .filter(|&p| sites[p] == sites[p - 1])
            .map(|p| p as u32)
            .collect();
        // beyond what windows read
        let others_at = nz * layer + w * (layer + pitch + 1);
        let places = match others.len() {
            0 => nz * layer,
            count => others_at + count,
        };
        Self {
            slabs: 1,
            plane: places.next_multiple_of(LINE),
            margin: (w * (layer + pitch + 1)).next_multiple_of(LINE),
            pitch,
            layer,
            half_width: w,
            orientation: None,
            others,
            others_at,
        }
    }

    /// Particles only.
    pub fn list(asset: &LatticeAsset) -> Self {
        let count = asset.particle_count();
        let plane = LISTED.min(count.next_multiple_of(LINE));
        Self {
            slabs: count.div_ceil(plane),
            plane,
            margin: 0,
            pitch: 0,
            layer: 0,
            half_width: asset.half_width,
            orientation: None,
            others: Arc::default(),
            others_at: 0,
        }
    }
}
