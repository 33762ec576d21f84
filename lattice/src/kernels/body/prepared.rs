//! What kernels find out about a lattice once for all bodies made of it.

use std::sync::{Arc, OnceLock};

use crate::asset::lattice_asset::LatticeAsset;
use crate::kernels::body::stiffness_weights::Paint;
use crate::kernels::compact::program::Compact;
use crate::kernels::memory::layout::{Layout, constants};
use crate::kernels::memory::orientation::Across;
use crate::kernels::vector::level::Level;
use crate::kernels::vector::pack::{LINE, Numbers};
use crate::skin::SkinKernel;

/// Constants of a lattice in its layout, and how a small body is summed, for each length of vectors and way to lie; how its skin is
/// written. A copy of a lattice finds them anew.
#[derive(Debug, Default)]
pub(crate) struct Prepared {
    /// with slabs across z, and across any axis
    lengths: [[OnceLock<Shared>; LENGTHS]; 2],
    skin: OnceLock<Option<Arc<SkinKernel>>>,
}

/// Lengths of vectors: 1, 2, 4, 8 and 16 numbers.
const LENGTHS: usize = LINE.ilog2() as usize + 1;

/// What is shared.
#[derive(Debug, Clone)]
pub(crate) struct Shared {
    pub layout: Layout,
    pub constants: Arc<Numbers>,
    /// sums of a small body
    pub compact: Option<Arc<Compact>>,
    /// weights of a painted body
    pub paint: Option<Arc<Paint>>,
}

impl Clone for Prepared {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl PartialEq for Prepared {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

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
        across: Across,
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
                paint: Paint::of(asset, &layout).map(Arc::new),
                layout,
            }
        };
        // broken links change a lattice after it was prepared
        if asset.plan.changed.regions().is_empty() {
            let length = (lanes.ilog2() as usize).min(LENGTHS - 1);
            asset.prepared.lengths[across as usize][length]
                .get_or_init(find)
                .clone()
        } else {
            find()
        }
    }
}
