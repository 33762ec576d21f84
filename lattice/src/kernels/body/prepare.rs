//! What kernels take from a lattice: constants, sums and weights.

use std::sync::Arc;

use crate::asset::LatticeAsset;
use crate::kernels::body::prepared::{LENGTHS, Prepared, Shared};
use crate::kernels::body::stiffness_weights::StiffnessWeights;
use crate::kernels::compact::program::Compact;
use crate::kernels::memory::box_regions::{are_alone, box_regions, suits_block};
use crate::kernels::memory::constants::constants;
use crate::kernels::memory::layout::Layout;
use crate::kernels::vector::level::Level;
use crate::skin::kernel::SkinKernel;

impl Prepared {
    /// How the skin of `asset` is written, where each vertex has a cell: bodies that share it find it in the cache of the processor.
    pub fn skin(asset: &LatticeAsset) -> Option<Arc<SkinKernel>> {
        let find = || SkinKernel::new(asset, Level::Auto).map(Arc::new);
        asset.prepared.skin.get_or_init(find).clone()
    }

    /// The layout and the sums that `choose` takes for vectors of `lanes` numbers, and the constants and weights for them.
    pub fn of(
        asset: &LatticeAsset,
        lanes: usize,
        choose: impl FnOnce() -> (Layout, Option<Compact>),
    ) -> Shared {
        let find = || {
            let (layout, compact) = choose();
            let mut constants = constants(asset, &layout);
            if let Some(compact) = &compact {
                compact.shift_centers(&layout, &mut constants);
            }
            Shared {
                constants: Arc::new(constants),
                compact: compact.map(Arc::new),
                stiffness_weights: StiffnessWeights::of(asset, &layout).map(Arc::new),
                layout,
            }
        };
        // broken links change a lattice after it was prepared
        if asset.plan.changed.regions().is_empty() {
            let length = (lanes.ilog2() as usize).min(LENGTHS - 1);
            asset.prepared.lengths[length].get_or_init(find).clone()
        } else {
            find()
        }
    }
}

impl StiffnessWeights {
    /// Weights of `asset`; none for a body of one stiffness.
    pub fn of(asset: &LatticeAsset, layout: &Layout) -> Option<Self> {
        if asset.stiffness_weights.is_empty() {
            return None;
        }
        let mut stiffness_weights = Self {
            weights: layout.planes(1),
            missing: layout.planes(1),
        };
        let all = 0..asset.particle_count() as u32;
        all.for_each(|p| stiffness_weights.update(asset, layout, p));
        Some(stiffness_weights)
    }

    /// Takes the weights of particle `p`.
    pub fn update(&mut self, asset: &LatticeAsset, layout: &Layout, p: u32) {
        let (slab, at) = layout.place(p as usize, &asset.sites[p as usize]);
        let at = slab * layout.plane + at;
        self.weights[at] = asset.stiffness_weight_of(asset.region_of[p as usize] as usize) as f32;
        self.missing[at] = (1.0 - asset.pull_of(p as usize)) as f32;
    }
}

/// Has all bodies of a lattice that nothing was prepared for sum its windows at a cost that does not depend on their length, even where adding them up is
/// cheaper; only where the shape suits slabs.
pub(crate) fn prepare_steady(asset: &LatticeAsset, level: Level) {
    if are_alone(asset) && suits_block(asset, &box_regions(asset)) {
        // what is prepared first stays
        let lanes = level.lanes();
        Prepared::of(asset, lanes, || (Layout::steady(asset, lanes), None));
    }
}
