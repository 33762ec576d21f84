//! Smooth velocity minus velocity.

use pulp::Simd;

use crate::kernels::vector::pack::{Pack, packs, packs_mut};

/// Smooth velocity minus velocity, from sums of velocities and angular velocities.
#[inline(always)]
pub(crate) fn changes_from<S: Simd>(
    simd: S,
    plane: usize,
    inverse: &[f32],
    (positions, velocities): (&[f32], &[f32]),
    sums: &[f32],
    changes: &mut [f32],
) {
    let inverse = packs::<S>(inverse, 0, plane);
    for i in 0..3 {
        let (next, last) = ((i + 1) % 3, (i + 2) % 3);
        let (x_next, x_last) = (
            packs::<S>(positions, next * plane, plane),
            packs::<S>(positions, last * plane, plane),
        );
        let (angular_next, angular_last) = (
            packs::<S>(sums, (3 + next) * plane, plane),
            packs::<S>(sums, (3 + last) * plane, plane),
        );
        let plain = packs::<S>(sums, i * plane, plane);
        let v = packs::<S>(velocities, i * plane, plane);
        let out = packs_mut::<S>(changes, i * plane, plane);
        for (j, out) in out.iter_mut().enumerate() {
            let load = |from: &[S::f32s]| Pack::new(simd, from[j]);
            let angular = [load(angular_next), load(angular_last)];
            let x = [load(x_next), load(x_last)];
            *out = change(load(plain), angular, x, load(inverse), load(v)).value;
        }
    }
}

/// One component of `Σ (v + ω × x) / |R| − v`: `plain` is that of `Σ v`; `angular` and `x` are the next two of `Σ ω` and of the position.
#[inline(always)]
fn change<S: Simd>(
    plain: Pack<S>,
    [angular_next, angular_last]: [Pack<S>; 2],
    [x_next, x_last]: [Pack<S>; 2],
    inverse: Pack<S>,
    v: Pack<S>,
) -> Pack<S> {
    let rotation = angular_last.times_from(x_next, angular_next * x_last);
    (plain + rotation) * inverse - v
}
