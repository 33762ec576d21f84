//! Rings of slabs, which short windows along z read.

use pulp::Simd;

use crate::kernels::memory::arrange::MAX_SHORT_HALF_WIDTH;
use crate::kernels::memory::layout::Layout;
use crate::kernels::vector::pack::packs;
use crate::kernels::windows::direct::Taps;

/// Slabs of a ring: as many as a window has.
pub(crate) const SLABS: usize = 2 * MAX_SHORT_HALF_WIDTH + 1;

/// A plane of a slab and of those before and after it.
pub(crate) type Window<'a, S> = Taps<'a, S, MAX_SHORT_HALF_WIDTH>;

impl<'a, S: Simd> Window<'a, S> {
    /// The planes of channel `c` in a ring of `channels` about slab `z`; slabs outside of the block are zero.
    #[inline(always)]
    pub fn at(
        layout: &Layout,
        ring: &'a [f32],
        zeros: &'a [f32],
        channels: usize,
        z: usize,
        c: usize,
    ) -> Self {
        let plane = layout.plane;
        let plane_of =
            |slab: usize| packs::<S>(ring, ((slab % SLABS) * channels + c) * plane, plane);
        let zero = packs::<S>(zeros, 0, plane);
        let before = match z.checked_sub(1) {
            Some(before) => plane_of(before),
            None => zero,
        };
        let after = match z + 1 {
            after if after < layout.slabs => plane_of(after),
            _ => zero,
        };
        Self {
            middle: plane_of(z),
            sides: [[before, after]],
        }
    }
}
