//! Neighbouring regions of a slab.

use crate::kernels::memory::layout::Layout;

/// Neighbouring regions of a slab.
#[derive(Clone, Copy)]
pub(crate) struct Part {
    /// places of a slab: from plane to plane of constants, centres and rotations
    pub plane: usize,
    /// place of the first region, and how many there are
    pub at: usize,
    pub count: usize,
}

impl Part {
    /// All regions of a slab.
    pub fn whole(layout: &Layout) -> Self {
        Self {
            plane: layout.plane,
            at: 0,
            count: layout.plane,
        }
    }
}
