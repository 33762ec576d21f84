//! Rings of slabs: what windows along z read.

use pulp::Simd;

use crate::kernels::memory::layout::Layout;
use crate::kernels::vector::pack::{Pack, packs};

/// A plane in the slabs at distance 1, 2, ... before and after.
type Sides<'a, S, const W: usize> = [[&'a [<S as Simd>::f32s]; 2]; W];

/// The planes of channel `c` in the ring for the slabs `z − W ..= z + W`; slabs outside of the block are zero.
#[inline(always)]
pub(crate) fn ring<'a, S: Simd, const W: usize>(
    layout: &Layout,
    ring: &'a [f32],
    zeros: &'a [f32],
    channels: usize,
    z: usize,
    c: usize,
) -> (Sides<'a, S, W>, &'a [S::f32s]) {
    let (plane, slabs) = (layout.plane, 2 * W + 1);
    let middle = packs::<S>(ring, ((z % slabs) * channels + c) * plane, plane);
    let mut sides = [[middle; 2]; W];
    let mut k = 0;
    while k < W {
        let distance = k + 1;
        let zero = packs::<S>(zeros, 0, plane);
        sides[k] = [
            match z.checked_sub(distance) {
                Some(before) => packs::<S>(ring, ((before % slabs) * channels + c) * plane, plane),
                None => zero,
            },
            match z + distance {
                after if after < layout.slabs => {
                    packs::<S>(ring, ((after % slabs) * channels + c) * plane, plane)
                }
                _ => zero,
            },
        ];
        k += 1;
    }
    (sides, middle)
}

#[inline(always)]
pub(crate) fn total<S: Simd, const W: usize>(
    simd: S,
    sides: &Sides<'_, S, W>,
    middle: &[S::f32s],
    j: usize,
) -> Pack<S> {
    let mut sum = Pack::new(simd, middle[j]);
    for side in sides {
        sum = sum + (Pack::new(simd, side[0][j]) + Pack::new(simd, side[1][j]));
    }
    sum
}

#[inline(always)]
pub(crate) fn slope<S: Simd, const W: usize>(
    simd: S,
    sides: &Sides<'_, S, W>,
    j: usize,
) -> Pack<S> {
    let mut sum = Pack::new(simd, sides[0][1][j]) - Pack::new(simd, sides[0][0][j]);
    for (k, side) in sides.iter().enumerate().skip(1) {
        let difference = Pack::new(simd, side[1][j]) - Pack::new(simd, side[0][j]);
        sum = difference.times_plus(Pack::splat(simd, (k + 1) as f32), sum);
    }
    sum
}
