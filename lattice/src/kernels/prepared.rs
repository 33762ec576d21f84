//! What kernels find out about a lattice once for all bodies made of it.

use std::sync::{Arc, OnceLock};

use super::differences::Differences;
use super::layout::{Layout, constants};
use super::pack::Numbers;
use crate::asset::LatticeAsset;

/// Constants of a lattice in its layout, and how regions of a small block differ from their boxes. A copy of a lattice finds them anew.
#[derive(Debug, Default)]
pub(crate) struct Prepared(OnceLock<Parts>);

#[derive(Debug)]
struct Parts {
    layout: Layout,
    constants: Arc<Numbers>,
    differences: Option<Arc<Differences>>,
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
    /// The layout that `choose` takes, the constants in it and the differences, which are found if `choose` is given them.
    pub fn of(
        asset: &LatticeAsset,
        choose: impl FnOnce() -> (Layout, Option<Differences>),
    ) -> (Layout, Arc<Numbers>, Option<Arc<Differences>>) {
        let find = || {
            let (layout, differences) = choose();
            Parts {
                constants: Arc::new(constants(asset, &layout)),
                differences: differences.map(Arc::new),
                layout,
            }
        };
        let copy = |parts: &Parts| {
            let Parts {
                layout,
                constants,
                differences,
            } = parts;
            (layout.clone(), Arc::clone(constants), differences.clone())
        };
        // broken links change a lattice after it was prepared
        if asset.plan.changed.regions().is_empty() {
            copy(asset.prepared.0.get_or_init(find))
        } else {
            copy(&find())
        }
    }
}
