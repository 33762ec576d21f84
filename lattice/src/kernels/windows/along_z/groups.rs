//! Window sums along z of whole slabs, at a cost that hardly depends on the length of the window: neighbouring slabs are processed in groups. The slabs that
//! all windows of a group contain are summed once. Slabs that only some windows contain are added from there outward, below and above, so that
//! each slab is read once for a group. There are no subtractions, so that round-off does not accumulate as in sums that slide from slab to
//! slab (Rivers and James 2007, section 3.1, Eq. 5 to 7).
//!
//! Ramps are summed about the middle of the group and shifted to each slab.

use std::ops::Range;

use pulp::Simd;

use crate::kernels::memory::layout::Layout;
use crate::kernels::vector::pack::{OnLine, Pack};

/// Neighbouring slabs of one group whose windows are summed.
#[derive(Debug, Clone)]
pub(crate) struct AlongZ {
    pub(crate) half_width: usize,
    /// all slabs there are
    pub(crate) slabs: usize,
    pub(crate) group: Range<usize>,
    pub(crate) targets: Range<usize>,
}

/// The terms that are summed over windows: `C` numbers of a site.
pub(crate) trait Terms<S: Simd, const C: usize> {
    /// Adds `N` vectors from `j` of a slab at `distance` from the middle of the group.
    fn add<const N: usize>(
        &self,
        sums: &mut [[Pack<S>; C]; N],
        slab: usize,
        distance: Pack<S>,
        j: usize,
    );
    /// Writes the sums about a slab, which is `distance` from the middle.
    fn write<const N: usize>(
        &mut self,
        sums: [[Pack<S>; C]; N],
        slab: usize,
        distance: Pack<S>,
        j: usize,
    );
}

impl AlongZ {
    /// Windows about `targets` slabs of one group of `size`.
    pub fn new(layout: &Layout, size: usize, targets: Range<usize>) -> Self {
        let first = targets.start / size * size;
        Self {
            half_width: layout.half_width,
            slabs: layout.slabs,
            group: first..(first + size).min(layout.slabs),
            targets,
        }
    }

    /// The first slab that a window contains.
    pub(crate) fn first_slab_read(&self) -> usize {
        self.targets.start.saturating_sub(self.half_width)
    }

    /// Distance of a slab from the middle of the group.
    #[inline(always)]
    pub(crate) fn distance<S: Simd>(&self, simd: S, slab: usize) -> Pack<S> {
        // an integer, so that thin plates are weighted by 0 and 1
        let middle = (self.group.start + self.group.end) / 2;
        Pack::splat(simd, slab as f32 - middle as f32)
    }

    /// Sums of all of `count` vectors of planes, in groups of at most `G` slabs. `WIDE` or `NARROW` vectors go together: as many as there are
    /// registers for.
    #[inline(always)]
    pub(crate) fn sums<
        S: Simd,
        const C: usize,
        const G: usize,
        const WIDE: usize,
        const NARROW: usize,
    >(
        &self,
        simd: S,
        count: usize,
        mut terms: impl Terms<S, C>,
    ) {
        let done = if S::F32_LANES >= 16 {
            self.sums_of::<S, C, G, WIDE>(simd, 0..count, &mut terms)
        } else {
            self.sums_of::<S, C, G, NARROW>(simd, 0..count, &mut terms)
        };
        self.sums_of::<S, C, G, 1>(simd, done..count, &mut terms);
    }

    /// Sums of vectors of a range, `N` at a time; returns the first vector that is left.
    #[inline(always)]
    fn sums_of<S: Simd, const C: usize, const G: usize, const N: usize>(
        &self,
        simd: S,
        range: Range<usize>,
        terms: &mut impl Terms<S, C>,
    ) -> usize {
        let mut below = OnLine([[[Pack::splat(simd, 0.0); C]; N]; G]);
        let mut j = range.start;
        while j + N <= range.end {
            self.sum(simd, terms, &mut below.0, j);
            j += N;
        }
        j
    }

    /// Sums of `N` vectors from `j`; `below` is a buffer for the sums of each window without the slabs above the common ones.
    #[inline(always)]
    fn sum<S: Simd, const C: usize, const G: usize, const N: usize>(
        &self,
        simd: S,
        terms: &mut impl Terms<S, C>,
        below: &mut [[[Pack<S>; C]; N]; G],
        j: usize,
    ) {
        let (w, Range { start, end }) = (self.half_width, self.group.clone());
        let zero = Pack::splat(simd, 0.0);
        let mut sums = [[zero; C]; N];
        for slab in (end - 1).saturating_sub(w)..(start + w + 1).min(self.slabs) {
            terms.add(&mut sums, slab, self.distance(simd, slab), j);
        }
        // with the slabs below
        for z in (self.targets.start..end).rev() {
            if let Some(slab) = z.checked_sub(w).filter(|_| z + 1 < end) {
                terms.add(&mut sums, slab, self.distance(simd, slab), j);
            }
            below[z - start] = sums;
        }
        // and above
        let mut above = [[zero; C]; N];
        for z in start..self.targets.end {
            if z > start && z + w < self.slabs {
                terms.add(&mut above, z + w, self.distance(simd, z + w), j);
            }
            if z < self.targets.start {
                continue;
            }
            let mut sums = below[z - start];
            for n in 0..N {
                for c in 0..C {
                    sums[n][c] = sums[n][c] + above[n][c];
                }
            }
            terms.write(sums, z, self.distance(simd, z), j);
        }
    }
}
