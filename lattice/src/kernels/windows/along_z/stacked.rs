//! Numbers of all slabs, or of a ring of them, as vectors in planes or in tiles.

use pulp::Simd;

use crate::kernels::memory::layout::Layout;
use crate::kernels::vector::pack::{Pack, packs};

/// Numbers of all slabs, or of a ring of them, as vectors in planes or in tiles.
#[derive(Clone, Copy)]
pub(crate) struct Stacked<'a, S: Simd> {
    pub(crate) numbers: &'a [S::f32s],
    /// numbers of a site, and vectors of a plane
    pub(crate) planes: usize,
    pub(crate) plane: usize,
    /// slabs of the ring, and the slab that is first in it
    pub(crate) slots: usize,
    pub(crate) base: usize,
}

impl<'a, S: Simd> Stacked<'a, S> {
    #[inline(always)]
    pub(crate) fn new(layout: &Layout, numbers: &'a [f32], planes: usize) -> Self {
        Self::with_slots(layout, numbers, planes, (usize::MAX, 0))
    }

    /// A ring in which no slab before `first_slab_read` is read, and none that is a whole ring after it.
    #[inline(always)]
    pub(crate) fn ring(
        layout: &Layout,
        numbers: &'a [f32],
        planes: usize,
        first_slab_read: usize,
    ) -> Self {
        let slots = layout.ring_slabs();
        Self::with_slots(
            layout,
            numbers,
            planes,
            (slots, first_slab_read / slots * slots),
        )
    }

    #[inline(always)]
    fn with_slots(
        layout: &Layout,
        numbers: &'a [f32],
        planes: usize,
        (slots, base): (usize, usize),
    ) -> Self {
        Self {
            numbers: packs::<S>(numbers, 0, numbers.len()),
            planes,
            plane: layout.plane / S::F32_LANES,
            slots,
            base,
        }
    }

    /// Place of a slab in the ring.
    #[inline(always)]
    pub(crate) fn slot(&self, slab: usize) -> usize {
        let slot = slab - self.base;
        if slot < self.slots {
            slot
        } else {
            slot - self.slots
        }
    }

    /// `N` vectors from `j` of plane `c` of a slab.
    #[inline(always)]
    pub(crate) fn one<const N: usize>(
        &self,
        simd: S,
        slab: usize,
        c: usize,
        j: usize,
    ) -> [Pack<S>; N] {
        let at = (self.slot(slab) * self.planes + c) * self.plane + j;
        let from = &self.numbers[at..][..N];
        let mut out = [Pack::splat(simd, 0.0); N];
        for n in 0..N {
            out[n].value = from[n];
        }
        out
    }

    /// `N` tiles from `j` of a slab.
    #[inline(always)]
    pub(crate) fn tiles<const C: usize, const N: usize>(
        &self,
        simd: S,
        slab: usize,
        j: usize,
    ) -> [[Pack<S>; C]; N] {
        let from = &self.numbers[(self.slot(slab) * self.plane + j) * C..][..N * C];
        let mut out = [[Pack::splat(simd, 0.0); C]; N];
        for n in 0..N {
            for c in 0..C {
                out[n][c].value = from[n * C + c];
            }
        }
        out
    }

    /// `N` vectors from `j` of each of the first `C` planes of a slab.
    #[inline(always)]
    pub(crate) fn get<const C: usize, const N: usize>(
        &self,
        simd: S,
        slab: usize,
        j: usize,
    ) -> [[Pack<S>; N]; C] {
        let mut out = [[Pack::splat(simd, 0.0); N]; C];
        for (c, out) in out.iter_mut().enumerate() {
            *out = self.one(simd, slab, c, j);
        }
        out
    }
}

/// Writes `N` vectors from `j` of the planes of slab `slot`.
#[inline(always)]
pub(crate) fn write_planes<S: Simd, const C: usize, const N: usize>(
    to: &mut [S::f32s],
    plane: usize,
    slot: usize,
    j: usize,
    values: &[[Pack<S>; C]; N],
) {
    for c in 0..C {
        let to = &mut to[(slot * C + c) * plane + j..][..N];
        for n in 0..N {
            to[n] = values[n][c].value;
        }
    }
}

/// Writes `N` tiles from `j` of slab `slot`.
#[inline(always)]
pub(crate) fn write_tiles<S: Simd, const C: usize, const N: usize>(
    to: &mut [S::f32s],
    plane: usize,
    slot: usize,
    j: usize,
    values: &[[Pack<S>; C]; N],
) {
    let to = &mut to[(slot * plane + j) * C..][..N * C];
    for n in 0..N {
        for c in 0..C {
            to[n * C + c] = values[n][c].value;
        }
    }
}
