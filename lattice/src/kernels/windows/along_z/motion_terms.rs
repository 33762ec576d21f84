//! Sums along z for damping: fields of motion, and rigid motions of regions.

use pulp::Simd;

use crate::kernels::matching::motion_fields::fields_of;
use crate::kernels::memory::channels::{CONSTANTS, RIGID, SUMS};
use crate::kernels::memory::layout::Layout;
use crate::kernels::memory::slab_groups::MAX_GROUP_SLABS;
use crate::kernels::vector::pack::{Pack, packs_mut};
use crate::kernels::windows::along_z::groups::{AlongZ, Terms};
use crate::kernels::windows::along_z::stacked::{Stacked, write_planes, write_tiles};

impl AlongZ {
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
        self.sums::<S, SUMS, MAX_GROUP_SLABS, 2, 1>(simd, layout.plane / S::F32_LANES, terms);
    }

    /// Sums of the rigid motions of regions in tiles of a ring of slabs, in planes for each slab of the group.
    #[inline(always)]
    pub fn rigid<S: Simd>(&self, simd: S, layout: &Layout, ring: &[f32], sums: &mut [f32]) {
        let terms = Rigid {
            contributions: Stacked::ring(layout, ring, RIGID, self.first_slab_read()),
            sums: packs_mut::<S>(sums, 0, sums.len()),
            first: self.group.start,
        };
        self.sums::<S, RIGID, MAX_GROUP_SLABS, 4, 2>(simd, layout.plane / S::F32_LANES, terms);
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
    fn write<const N: usize>(
        &mut self,
        sums: [[Pack<S>; SUMS]; N],
        slab: usize,
        _: Pack<S>,
        j: usize,
    ) {
        write_tiles(self.sums, self.share.plane, slab - self.first, j, &sums);
    }
}

pub(crate) struct Rigid<'a, S: Simd> {
    contributions: Stacked<'a, S>,
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
        let contributions: [[Pack<S>; RIGID]; N] = self.contributions.tiles(distance.simd, slab, j);
        for n in 0..N {
            for c in 0..RIGID {
                sums[n][c] = sums[n][c] + contributions[n][c];
            }
        }
    }

    #[inline(always)]
    fn write<const N: usize>(
        &mut self,
        sums: [[Pack<S>; RIGID]; N],
        slab: usize,
        _: Pack<S>,
        j: usize,
    ) {
        write_planes(
            self.sums,
            self.contributions.plane,
            slab - self.first,
            j,
            &sums,
        );
    }
}
