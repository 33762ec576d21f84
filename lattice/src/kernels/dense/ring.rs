//! Rings of slabs, which short windows along z read.

use pulp::Simd;

use crate::kernels::memory::arrange::MAX_SHORT_HALF_WIDTH;
use crate::kernels::memory::layout::Layout;
use crate::kernels::vector::pack::{Pack, packs};

/// Slabs of a ring: as many as a window has.
pub(crate) const SLABS: usize = 2 * MAX_SHORT_HALF_WIDTH + 1;

/// A plane of a slab and of those before and after it.
#[derive(Clone, Copy)]
pub(crate) struct Window<'a, S: Simd> {
    before: &'a [S::f32s],
    middle: &'a [S::f32s],
    after: &'a [S::f32s],
}

impl<'a, S: Simd> Window<'a, S> {
    /// The planes of channel `c` in a ring of `channels` about slab `z`; slabs outside of the block are zero.
    #[inline(always)]
    pub fn new(
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
        Self {
            before: match z.checked_sub(1) {
                Some(before) => plane_of(before),
                None => zero,
            },
            middle: plane_of(z),
            after: match z + 1 {
                after if after < layout.slabs => plane_of(after),
                _ => zero,
            },
        }
    }

    /// The sum over the window of vector `j`.
    #[inline(always)]
    pub fn sum(&self, simd: S, j: usize) -> Pack<S> {
        let load = |from: &[S::f32s]| Pack::new(simd, from[j]);
        load(self.middle) + (load(self.before) + load(self.after))
    }

    /// The sum weighted by the distance from the middle.
    #[inline(always)]
    pub fn ramp(&self, simd: S, j: usize) -> Pack<S> {
        Pack::new(simd, self.after[j]) - Pack::new(simd, self.before[j])
    }
}
