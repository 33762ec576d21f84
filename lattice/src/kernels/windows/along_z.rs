//! Window sums along z of whole slabs, at a cost that hardly depends on the length of the window: neighbouring slabs are taken in groups. What
//! the windows of a group have in common is added up once; what only some of them reach is added from there outward, below and above, so that
//! each slab is read once for a group. Nothing is ever subtracted, and round-off does not gather as it does in sums that slide from slab to
//! slab (Rivers and James 2007, section 4.3).
//!
//! Ramps are summed about the middle of the group and moved to each slab.

use std::ops::Range;

use pulp::Simd;

use crate::kernels::dense::short_goals::SECOND;
use crate::kernels::dense::short_smooth::{RIGID, SUMS, fields_of};
use crate::kernels::memory::layout::{CONSTANTS, Layout};
use crate::kernels::vector::pack::{OnLine, Pack, packs, packs_mut};

/// Plane of the constants that has one over the number of regions.
const INVERSE_COUNT: usize = 5;

/// Most slabs of a group: the sums of as many have to stay in the nearer caches.
const MOST: usize = 8;

/// And where sums go no further than into goals.
const MOST_GOALS: usize = 16;

/// Slabs of a group, at whose multiples groups begin.
pub(crate) fn group_size(half_width: usize) -> usize {
    group_of(MOST, half_width)
}

/// The same for goals.
pub(crate) fn goals_group_size(half_width: usize) -> usize {
    group_of(MOST_GOALS, half_width)
}

/// A power of two, at most `most`, such that all windows of a group have a slab in common.
fn group_of(most: usize, half_width: usize) -> usize {
    1 << most.min(2 * half_width + 1).ilog2()
}

/// Neighbouring slabs of one group whose windows are summed.
#[derive(Debug, Clone)]
pub(crate) struct AlongZ {
    half_width: usize,
    /// all slabs there are
    slabs: usize,
    group: Range<usize>,
    wanted: Range<usize>,
}

/// Numbers of all slabs, or of a ring of them, as vectors in planes or in tiles.
#[derive(Clone, Copy)]
struct Stacked<'a, S: Simd> {
    numbers: &'a [S::f32s],
    /// numbers of a site, and vectors of a plane
    planes: usize,
    plane: usize,
    /// slabs of the ring, and the slab that is first in it
    slots: usize,
    base: usize,
}

impl<'a, S: Simd> Stacked<'a, S> {
    #[inline(always)]
    fn new(layout: &Layout, numbers: &'a [f32], planes: usize) -> Self {
        Self::of(layout, numbers, planes, (usize::MAX, 0))
    }

    /// A ring in which no slab before `lowest` is read, and none that is a whole ring after it.
    #[inline(always)]
    fn ring(layout: &Layout, numbers: &'a [f32], planes: usize, lowest: usize) -> Self {
        let slots = layout.ring_slabs();
        Self::of(layout, numbers, planes, (slots, lowest / slots * slots))
    }

    #[inline(always)]
    fn of(
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
    fn slot(&self, slab: usize) -> usize {
        let slot = slab - self.base;
        if slot < self.slots {
            slot
        } else {
            slot - self.slots
        }
    }

    /// `N` vectors from `j` of plane `c` of a slab.
    #[inline(always)]
    fn one<const N: usize>(&self, simd: S, slab: usize, c: usize, j: usize) -> [Pack<S>; N] {
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
    fn tiles<const C: usize, const N: usize>(
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
    fn get<const C: usize, const N: usize>(
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

/// What is summed over windows: `C` numbers of a site.
trait Terms<S: Simd, const C: usize> {
    /// Adds `N` vectors from `j` of a slab at `distance` from the middle of the group.
    fn add<const N: usize>(
        &self,
        sums: &mut [[Pack<S>; C]; N],
        slab: usize,
        distance: Pack<S>,
        j: usize,
    );
    /// Writes the sums about a slab, which is `distance` from the middle.
    fn put<const N: usize>(
        &mut self,
        sums: [[Pack<S>; C]; N],
        slab: usize,
        distance: Pack<S>,
        j: usize,
    );
}

impl AlongZ {
    /// Windows about `wanted` slabs of one group of `size`.
    pub fn new(layout: &Layout, size: usize, wanted: Range<usize>) -> Self {
        let first = wanted.start / size * size;
        Self {
            half_width: layout.half_width,
            slabs: layout.slabs,
            group: first..(first + size).min(layout.slabs),
            wanted,
        }
    }

    /// The first slab that a window has.
    fn lowest(&self) -> usize {
        self.wanted.start.saturating_sub(self.half_width)
    }

    /// From the middle of the group to a slab.
    #[inline(always)]
    fn distance<S: Simd>(&self, simd: S, slab: usize) -> Pack<S> {
        // a whole number, so that thin plates are weighted by 0 and 1
        let middle = (self.group.start + self.group.end) / 2;
        Pack::splat(simd, slab as f32 - middle as f32)
    }

    /// Sums of all of `count` vectors of planes, in groups of at most `G` slabs. `WIDE` or `NARROW` vectors go together: as many as there are
    /// registers for.
    #[inline(always)]
    fn sums<S: Simd, const C: usize, const G: usize, const WIDE: usize, const NARROW: usize>(
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

    /// Sums of vectors of a range, `N` at a time; returns where fewer are left.
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

    /// Sums of `N` vectors from `j`; `below` is memory for sums with what lies below, of each slab.
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
        // with what lies below
        for z in (self.wanted.start..end).rev() {
            if let Some(slab) = z.checked_sub(w).filter(|_| z + 1 < end) {
                terms.add(&mut sums, slab, self.distance(simd, slab), j);
            }
            below[z - start] = sums;
        }
        // and above
        let mut above = [[zero; C]; N];
        for z in start..self.wanted.end {
            if z > start && z + w < self.slabs {
                terms.add(&mut above, z + w, self.distance(simd, z + w), j);
            }
            if z < self.wanted.start {
                continue;
            }
            let mut sums = below[z - start];
            for n in 0..N {
                for c in 0..C {
                    sums[n][c] = sums[n][c] + above[n][c];
                }
            }
            terms.put(sums, z, self.distance(simd, z), j);
        }
    }

    /// Sums of `m̃ x` and their ramps in tiles, for each slab of the group.
    #[inline(always)]
    pub fn moments<S: Simd>(
        &self,
        simd: S,
        layout: &Layout,
        [constants, positions]: [&[f32]; 2],
        sums: &mut [f32],
    ) {
        let terms = Moments {
            share: Stacked::new(layout, constants, CONSTANTS),
            positions: Stacked::new(layout, positions, 3),
            sums: packs_mut::<S>(sums, 0, sums.len()),
            first: self.group.start,
        };
        self.sums::<S, 6, MOST, 2, 2>(simd, layout.plane / S::F32_LANES, terms);
    }

    /// Goal minus position, three planes a slab of those wanted, from what regions say in tiles of a ring of slabs.
    #[inline(always)]
    pub fn goals<S: Simd>(
        &self,
        simd: S,
        layout: &Layout,
        ring: &[f32],
        [constants, positions]: [&[f32]; 2],
        out: &mut [f32],
    ) {
        let terms = Goals {
            said: Stacked::ring(layout, ring, SECOND, self.lowest()),
            constants: Stacked::new(layout, constants, CONSTANTS),
            positions: Stacked::new(layout, positions, 3),
            out: packs_mut::<S>(out, 0, out.len()),
            first: self.wanted.start,
        };
        self.sums::<S, SECOND, MOST_GOALS, 2, 2>(simd, layout.plane / S::F32_LANES, terms);
    }

    /// Sums of the fields of motion in tiles, for each slab of the group.
    #[inline(always)]
    pub fn motions<S: Simd>(
        &self,
        simd: S,
        layout: &Layout,
        constants: &[f32],
        [positions, velocities]: [&[f32]; 2],
        sums: &mut [f32],
    ) {
        let terms = Motions {
            share: Stacked::new(layout, constants, CONSTANTS),
            positions: Stacked::new(layout, positions, 3),
            velocities: Stacked::new(layout, velocities, 3),
            sums: packs_mut::<S>(sums, 0, sums.len()),
            first: self.group.start,
        };
        self.sums::<S, SUMS, MOST, 2, 1>(simd, layout.plane / S::F32_LANES, terms);
    }

    /// Sums of what regions say of motion in tiles of a ring of slabs, in planes for each slab of the group.
    #[inline(always)]
    pub fn rigid<S: Simd>(&self, simd: S, layout: &Layout, ring: &[f32], sums: &mut [f32]) {
        let terms = Rigid {
            said: Stacked::ring(layout, ring, RIGID, self.lowest()),
            sums: packs_mut::<S>(sums, 0, sums.len()),
            first: self.group.start,
        };
        self.sums::<S, RIGID, MOST, 4, 2>(simd, layout.plane / S::F32_LANES, terms);
    }
}

/// Writes `N` vectors from `j` of the planes of slab `slot`.
#[inline(always)]
fn put_planes<S: Simd, const C: usize, const N: usize>(
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
fn put_tiles<S: Simd, const C: usize, const N: usize>(
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

struct Moments<'a, S: Simd> {
    share: Stacked<'a, S>,
    positions: Stacked<'a, S>,
    sums: &'a mut [S::f32s],
    first: usize,
}

impl<S: Simd> Terms<S, 6> for Moments<'_, S> {
    #[inline(always)]
    fn add<const N: usize>(
        &self,
        sums: &mut [[Pack<S>; 6]; N],
        slab: usize,
        distance: Pack<S>,
        j: usize,
    ) {
        let simd = distance.simd;
        let share: [Pack<S>; N] = self.share.one(simd, slab, 0, j);
        for c in 0..3 {
            let x: [Pack<S>; N] = self.positions.one(simd, slab, c, j);
            for n in 0..N {
                let (field, sums) = (x[n] * share[n], &mut sums[n]);
                sums[c] = sums[c] + field;
                sums[3 + c] = field.times_plus(distance, sums[3 + c]);
            }
        }
    }

    #[inline(always)]
    fn put<const N: usize>(
        &mut self,
        mut sums: [[Pack<S>; 6]; N],
        slab: usize,
        distance: Pack<S>,
        j: usize,
    ) {
        for sums in &mut sums {
            for c in 0..3 {
                sums[3 + c] = sums[c].times_from(distance, sums[3 + c]);
            }
        }
        put_tiles(self.sums, self.share.plane, slab - self.first, j, &sums);
    }
}

struct Goals<'a, S: Simd> {
    said: Stacked<'a, S>,
    constants: Stacked<'a, S>,
    positions: Stacked<'a, S>,
    out: &'a mut [S::f32s],
    first: usize,
}

impl<S: Simd> Terms<S, SECOND> for Goals<'_, S> {
    #[inline(always)]
    fn add<const N: usize>(
        &self,
        sums: &mut [[Pack<S>; SECOND]; N],
        slab: usize,
        distance: Pack<S>,
        j: usize,
    ) {
        let said: [[Pack<S>; SECOND]; N] = self.said.tiles(distance.simd, slab, j);
        for n in 0..N {
            let (sums, said) = (&mut sums[n], &said[n]);
            for c in 0..3 {
                let (a, v) = (said[c], said[3 + c]);
                sums[c] = v.times_from(distance, sums[c] + a);
                sums[3 + c] = sums[3 + c] + v;
            }
        }
    }

    #[inline(always)]
    fn put<const N: usize>(
        &mut self,
        sums: [[Pack<S>; SECOND]; N],
        slab: usize,
        distance: Pack<S>,
        j: usize,
    ) {
        let simd = distance.simd;
        let inverse: [Pack<S>; N] = self.constants.one(simd, slab, INVERSE_COUNT, j);
        let x: [[Pack<S>; N]; 3] = self.positions.get(simd, slab, j);
        let mut out = [[distance; 3]; N];
        for n in 0..N {
            for c in 0..3 {
                let goal = sums[n][3 + c].times_plus(distance, sums[n][c]);
                out[n][c] = goal * inverse[n] - x[c][n];
            }
        }
        put_planes(self.out, self.said.plane, slab - self.first, j, &out);
    }
}

struct Motions<'a, S: Simd> {
    share: Stacked<'a, S>,
    positions: Stacked<'a, S>,
    velocities: Stacked<'a, S>,
    sums: &'a mut [S::f32s],
    first: usize,
}

impl<S: Simd> Terms<S, SUMS> for Motions<'_, S> {
    #[inline(always)]
    fn add<const N: usize>(
        &self,
        sums: &mut [[Pack<S>; SUMS]; N],
        slab: usize,
        distance: Pack<S>,
        j: usize,
    ) {
        let simd = distance.simd;
        let share: [Pack<S>; N] = self.share.one(simd, slab, 0, j);
        let x: [[Pack<S>; N]; 3] = self.positions.get(simd, slab, j);
        let v: [[Pack<S>; N]; 3] = self.velocities.get(simd, slab, j);
        for n in 0..N {
            let of = |from: &[[Pack<S>; N]; 3]| [from[0][n], from[1][n], from[2][n]];
            let fields = fields_of(share[n], of(&x), of(&v));
            for c in 0..SUMS {
                sums[n][c] = sums[n][c] + fields[c];
            }
        }
    }

    #[inline(always)]
    fn put<const N: usize>(
        &mut self,
        sums: [[Pack<S>; SUMS]; N],
        slab: usize,
        _: Pack<S>,
        j: usize,
    ) {
        put_tiles(self.sums, self.share.plane, slab - self.first, j, &sums);
    }
}

struct Rigid<'a, S: Simd> {
    said: Stacked<'a, S>,
    sums: &'a mut [S::f32s],
    first: usize,
}

impl<S: Simd> Terms<S, RIGID> for Rigid<'_, S> {
    #[inline(always)]
    fn add<const N: usize>(
        &self,
        sums: &mut [[Pack<S>; RIGID]; N],
        slab: usize,
        distance: Pack<S>,
        j: usize,
    ) {
        let said: [[Pack<S>; RIGID]; N] = self.said.tiles(distance.simd, slab, j);
        for n in 0..N {
            for c in 0..RIGID {
                sums[n][c] = sums[n][c] + said[n][c];
            }
        }
    }

    #[inline(always)]
    fn put<const N: usize>(
        &mut self,
        sums: [[Pack<S>; RIGID]; N],
        slab: usize,
        _: Pack<S>,
        j: usize,
    ) {
        put_planes(self.sums, self.said.plane, slab - self.first, j, &sums);
    }
}
