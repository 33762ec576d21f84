//! Sums along z for goals: moments of positions, and contributions of regions to goals.

use pulp::Simd;

use crate::kernels::memory::channels::{CONSTANTS, INVERSE_COUNT, SECOND_RING_CHANNELS};
use crate::kernels::memory::layout::Layout;
use crate::kernels::memory::slab_groups::{MAX_GOAL_GROUP_SLABS, MAX_GROUP_SLABS};
use crate::kernels::vector::pack::{Pack, packs_mut};
use crate::kernels::windows::along_z::groups::{AlongZ, Terms};
use crate::kernels::windows::along_z::stacked::{Stacked, write_planes, write_tiles};

impl AlongZ {
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
        self.sums::<S, 6, MAX_GROUP_SLABS, 2, 2>(simd, layout.plane / S::F32_LANES, terms);
    }

    /// Goal minus position, three planes a target slab, from the contributions of regions in tiles of a ring of slabs.
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
            contributions: Stacked::ring(
                layout,
                ring,
                SECOND_RING_CHANNELS,
                self.first_slab_read(),
            ),
            constants: Stacked::new(layout, constants, CONSTANTS),
            positions: Stacked::new(layout, positions, 3),
            out: packs_mut::<S>(out, 0, out.len()),
            first: self.targets.start,
        };
        self.sums::<S, SECOND_RING_CHANNELS, MAX_GOAL_GROUP_SLABS, 2, 2>(
            simd,
            layout.plane / S::F32_LANES,
            terms,
        );
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
    fn write<const N: usize>(
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
        write_tiles(self.sums, self.share.plane, slab - self.first, j, &sums);
    }
}

pub(crate) struct Goals<'a, S: Simd> {
    contributions: Stacked<'a, S>,
    constants: Stacked<'a, S>,
    positions: Stacked<'a, S>,
    out: &'a mut [S::f32s],
    first: usize,
}

impl<S: Simd> Terms<S, SECOND_RING_CHANNELS> for Goals<'_, S> {
    #[inline(always)]
    fn add<const N: usize>(
        &self,
        sums: &mut [[Pack<S>; SECOND_RING_CHANNELS]; N],
        slab: usize,
        distance: Pack<S>,
        j: usize,
    ) {
        let contributions: [[Pack<S>; SECOND_RING_CHANNELS]; N] =
            self.contributions.tiles(distance.simd, slab, j);
        for n in 0..N {
            let (sums, contributions) = (&mut sums[n], &contributions[n]);
            for c in 0..3 {
                let (a, v) = (contributions[c], contributions[3 + c]);
                sums[c] = v.times_from(distance, sums[c] + a);
                sums[3 + c] = sums[3 + c] + v;
            }
        }
    }

    #[inline(always)]
    fn write<const N: usize>(
        &mut self,
        sums: [[Pack<S>; SECOND_RING_CHANNELS]; N],
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
        write_planes(
            self.out,
            self.contributions.plane,
            slab - self.first,
            j,
            &out,
        );
    }
}
