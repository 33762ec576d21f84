//! Sums over a window of `2w + 1` sites along one axis of a flat plane: plain ones, and ramps weighted by the distance from the middle.
//!
//! Neighbouring sites along the axis are `stride` places apart in memory, so that the same code serves x, y and z. Values that a window reads beyond the
//! plane must be zero.
//!
//! All sites of a window are added. There is no sliding, so that this is the most accurate sum.

use pulp::Simd;

use crate::kernels::memory::layout::Layout;
use crate::kernels::vector::pack::{Pack, packs, packs_mut};

/// Largest half-width whose windows are summed directly, site by site.
pub(crate) const MAX_DIRECT_HALF_WIDTH: usize = 3;

/// The same place of a plane in all sites of a window of half-width `W`.
#[derive(Clone, Copy)]
pub(crate) struct Taps<'a, S: Simd, const W: usize> {
    pub(crate) middle: &'a [S::f32s],
    /// sites at distance 1, 2, ... before and after
    pub(crate) sides: [[&'a [S::f32s]; 2]; W],
}

impl<'a, S: Simd, const W: usize> Taps<'a, S, W> {
    #[inline(always)]
    fn new(from: &'a [f32], at: usize, stride: usize, count: usize) -> Self {
        let middle = packs::<S>(from, at, count);
        let mut sides = [[middle; 2]; W];
        let mut k = 0;
        while k < W {
            let shift = (k + 1) * stride;
            sides[k] = [
                packs::<S>(from, at - shift, count),
                packs::<S>(from, at + shift, count),
            ];
            k += 1;
        }
        Self { middle, sides }
    }

    /// The sum over the window of pack `j`.
    #[inline(always)]
    pub(crate) fn sum(&self, simd: S, j: usize) -> Pack<S> {
        let mut sum = Pack::new(simd, self.middle[j]);
        for side in &self.sides {
            sum = sum + (Pack::new(simd, side[0][j]) + Pack::new(simd, side[1][j]));
        }
        sum
    }

    /// The sum weighted by the signed distance from the middle.
    #[inline(always)]
    pub(crate) fn ramp(&self, simd: S, j: usize) -> Pack<S> {
        let [before, after] = self.sides[0];
        let mut sum = Pack::new(simd, after[j]) - Pack::new(simd, before[j]);
        for k in 1..W {
            let [before, after] = self.sides[k];
            let difference = Pack::new(simd, after[j]) - Pack::new(simd, before[j]);
            sum = difference.times_plus(Pack::splat(simd, (k + 1) as f32), sum);
        }
        sum
    }
}

/// The places of a pass: `count` places from `at`, with `stride` places between sites.
#[derive(Clone, Copy)]
pub(crate) struct Run {
    pub at: usize,
    pub stride: usize,
    pub count: usize,
}

impl Run {
    /// About all places of a padded plane.
    #[inline(always)]
    pub fn over(layout: &Layout, stride: usize) -> Self {
        Self {
            at: layout.margin,
            stride,
            count: layout.plane,
        }
    }
}

/// `to = Σ from`, with the results at `to_at`.
#[inline(always)]
pub(crate) fn sum<S: Simd, const W: usize>(
    simd: S,
    run: Run,
    from: &[f32],
    to: &mut [f32],
    to_at: usize,
) {
    let taps = Taps::<S, W>::new(from, run.at, run.stride, run.count);
    let to = packs_mut::<S>(to, to_at, run.count);
    for (j, to) in to.iter_mut().enumerate() {
        *to = taps.sum(simd, j).value;
    }
}

/// `sums = Σ from` and `ramps = Σ k from`.
#[inline(always)]
pub(crate) fn sum_and_ramp<S: Simd, const W: usize>(
    simd: S,
    run: Run,
    from: &[f32],
    sums: &mut [f32],
    ramps: &mut [f32],
    to_at: usize,
) {
    let taps = Taps::<S, W>::new(from, run.at, run.stride, run.count);
    let sums = packs_mut::<S>(sums, to_at, run.count);
    let ramps = packs_mut::<S>(ramps, to_at, run.count);
    for (j, (sum, ramp)) in sums.iter_mut().zip(ramps).enumerate() {
        *sum = taps.sum(simd, j).value;
        *ramp = taps.ramp(simd, j).value;
    }
}

/// `to = Σ summed − Σ k ramped`.
#[inline(always)]
pub(crate) fn sum_less_ramp<S: Simd, const W: usize>(
    simd: S,
    run: Run,
    (summed, ramped): (&[f32], &[f32]),
    to: &mut [f32],
    to_at: usize,
) {
    let summed = Taps::<S, W>::new(summed, run.at, run.stride, run.count);
    let ramped = Taps::<S, W>::new(ramped, run.at, run.stride, run.count);
    let to = packs_mut::<S>(to, to_at, run.count);
    for (j, to) in to.iter_mut().enumerate() {
        *to = (summed.sum(simd, j) - ramped.ramp(simd, j)).value;
    }
}
