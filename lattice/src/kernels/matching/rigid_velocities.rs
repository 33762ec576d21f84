//! The rigid velocities of all regions of a slab.

use pulp::Simd;

use crate::kernels::matching::angular_velocity::rigid_velocity;
use crate::kernels::memory::channels::{RIGID, SUMS};
use crate::kernels::memory::layout::Layout;
use crate::kernels::vector::pack::{Pack, packs, packs_mut};

/// Computes the rigid velocities of the regions of a slab, in padded planes.
#[inline(always)]
pub(crate) fn rigid_velocities<S: Simd>(
    simd: S,
    layout: &Layout,
    constants: &[f32],
    centers: &[f32],
    sums: &[f32],
    rigid: &mut [f32],
) {
    let (plane, padded, margin) = (layout.plane, layout.padded(), layout.margin);
    let inverse_mass = packs::<S>(constants, plane, plane);
    let c: [&[S::f32s]; 3] = [0, 1, 2].map(|k| packs::<S>(centers, k * plane, plane));
    let mut s = [inverse_mass; SUMS];
    for (k, s) in s.iter_mut().enumerate() {
        *s = packs::<S>(sums, k * plane, plane);
    }
    let mut targets = rigid.chunks_exact_mut(padded);
    let out: [&mut [S::f32s]; RIGID] = [(); RIGID].map(|()| {
        let padded = targets.next().unwrap_or_default();
        packs_mut::<S>(padded, margin, plane)
    });
    let zero = Pack::splat(simd, 0.0);
    for j in 0..inverse_mass.len() {
        let load = |from: &[S::f32s]| Pack::new(simd, from[j]);
        let inverse = load(inverse_mass);
        let mut sums = [zero; SUMS];
        for k in 0..SUMS {
            sums[k] = load(s[k]);
        }
        let center = [load(c[0]), load(c[1]), load(c[2])];
        let (velocity, angular_velocity) = rigid_velocity(&sums, inverse, &center);
        let occupied = simd.greater_than_f32s(inverse.value, zero.value);
        for k in 0..3 {
            out[k][j] = simd.select_f32s(occupied, velocity[k].value, zero.value);
            out[3 + k][j] = simd.select_f32s(occupied, angular_velocity[k].value, zero.value);
        }
    }
}
