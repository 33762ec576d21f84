//! Work space of window sums whose cost does not depend on the half-width.

use crate::kernels::memory::layout::Layout;
use crate::kernels::memory::slab_groups::group_size;
use crate::kernels::vector::pack::Numbers;
use crate::kernels::windows::folded::Folded;

/// Work space of window sums whose cost does not depend on the half-width.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sliding {
    pub(crate) folded: Folded,
    /// sums along z of a group of slabs: of particles, and of contributions of regions
    pub(crate) first: Numbers,
    pub(crate) second: Numbers,
}

impl Sliding {
    /// Space for `first` and `second` channels; none for a layout without such sums.
    pub fn new(layout: &Layout, first: usize, second: usize) -> Self {
        let Some(orientation) = &layout.orientation else {
            return Self::default();
        };
        let group = group_size(layout.half_width);
        Self {
            first: Numbers::zeros(group * first * layout.plane),
            second: Numbers::zeros(group * second * layout.plane),
            folded: Folded::new(orientation.fold, layout.half_width),
        }
    }
}
