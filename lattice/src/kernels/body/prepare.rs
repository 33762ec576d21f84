//! Preparation of a lattice for kernels: constants, sums and weights.

use std::sync::Arc;

use crate::asset::LatticeAsset;
use crate::kernels::body::prepared::{Prepared, SharedData};
use crate::kernels::body::stiffness_weights::StiffnessWeights;
use crate::kernels::compact::program::Compact;
use crate::kernels::memory::constants::constants;
use crate::kernels::memory::layout::Layout;
use crate::kernels::vector::level::Level;
use crate::skin::kernel::SkinKernel;

impl Prepared {
    /// The kernel for the skin of `asset`, if each vertex has a cell. Bodies with the same asset share it, and with it the processor's cache.
    pub fn skin(asset: &LatticeAsset) -> Option<Arc<SkinKernel>> {
        let find = || SkinKernel::new(asset, Level::Auto).map(Arc::new);
        asset.prepared.skin.get_or_init(find).clone()
    }

    /// The layout and the sums of `choose`, and the constants and weights for them.
    pub fn get_or_init(
        asset: &LatticeAsset,
        choose: impl FnOnce() -> (Layout, Option<Compact>),
    ) -> SharedData {
        let find = || {
            let (layout, compact) = choose();
            let mut constants = constants(asset, &layout);
            if let Some(compact) = &compact {
                compact.shift_centers(&layout, &mut constants);
            }
            SharedData {
                constants: Arc::new(constants),
                compact: compact.map(Arc::new),
                stiffness_weights: StiffnessWeights::from_asset(asset, &layout).map(Arc::new),
                layout,
            }
        };
        // broken links change a lattice after it was prepared
        if asset.plan.changed.regions().is_empty() {
            asset.prepared.data.get_or_init(find).clone()
        } else {
            find()
        }
    }
}

impl StiffnessWeights {
    /// Weights of `asset`; none for a body of uniform stiffness.
    pub fn from_asset(asset: &LatticeAsset, layout: &Layout) -> Option<Self> {
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

    /// Updates the weights of particle `p`.
    pub fn update(&mut self, asset: &LatticeAsset, layout: &Layout, p: u32) {
        let (slab, at) = layout.place(p as usize, &asset.sites[p as usize]);
        let at = slab * layout.plane + at;
        self.weights[at] = asset.stiffness_weight_of(asset.region_of[p as usize] as usize) as f32;
        self.missing[at] = (1.0 - asset.pull_of(p as usize)) as f32;
    }
}
