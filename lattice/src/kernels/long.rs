//! Windows longer than a few sites, at a cost that hardly depends on their length.
//!
//! Along x and y a window of `n` sites is two of half the length: `S₂ₙ(i) = Sₙ(i) + Sₙ(i + n)` and, weighted by the distance from its first site,
//! `T₂ₙ(i) = Tₙ(i) + Tₙ(i + n) + n Sₙ(i + n)`; one site more is added where the length is odd. Along z sums slide from slab to slab
//! (Rivers and James 2007, section 4.3) and begin anew every [`RESTART`] slabs, which bounds round-off.

use pulp::Simd;

use super::layout::Layout;
use super::pack::{LINE, Numbers, Pack, packs, packs_mut};
use super::window::Run;

/// Slabs after which sliding sums begin anew.
const RESTART: usize = 16;

/// Sums of windows that begin at each place, and the same weighted by the distance from their beginning.
#[derive(Debug, Clone, Default)]
pub(crate) struct Doubling {
    sums: [Numbers; 2],
    ramps: [Numbers; 2],
}

impl Doubling {
    pub fn new(layout: &Layout) -> Self {
        let zeros = || Numbers::zeros(layout.padded());
        Self {
            sums: [zeros(), zeros()],
            ramps: [zeros(), zeros()],
        }
    }

    /// Sums over windows of half-width `w`; returns where the windows of the run begin.
    #[inline(always)]
    fn run<S: Simd, const RAMP: bool>(
        &mut self,
        simd: S,
        w: usize,
        run: Run,
        from: &[f32],
    ) -> usize {
        let start = run.at - w * run.stride;
        let length = 2 * w + 1;
        let mut n = 1;
        for bit in (0..length.ilog2()).rev() {
            let odd = (length >> bit) & 1;
            let next = 2 * n + odd;
            let places = (run.count + (length - next) * run.stride).next_multiple_of(LINE);
            let (shift, last) = (n * run.stride, 2 * n * run.stride);
            let [sum, new_sum] = &mut self.sums;
            let [ramp, new_ramp] = &mut self.ramps;
            let old: &[f32] = if n == 1 { from } else { sum };
            let first = packs::<S>(old, start, places);
            let second = packs::<S>(old, start + shift, places);
            // one site more, or nothing: the weight says which
            let extra = packs::<S>(from, start + odd * last, places);
            let weight = Pack::splat(simd, odd as f32);
            let new_sum = packs_mut::<S>(new_sum, start, places);
            for (j, out) in new_sum.iter_mut().enumerate() {
                let sum = Pack::new(simd, first[j]) + Pack::new(simd, second[j]);
                *out = Pack::new(simd, extra[j]).times_plus(weight, sum).value;
            }
            if RAMP {
                let first = packs::<S>(ramp, start, places);
                let beyond = packs::<S>(ramp, start + shift, places);
                let weight = Pack::splat(simd, (2 * n * odd) as f32);
                let distance = Pack::splat(simd, n as f32);
                let new_ramp = packs_mut::<S>(new_ramp, start, places);
                for (j, out) in new_ramp.iter_mut().enumerate() {
                    let mut sum = Pack::new(simd, extra[j]) * weight;
                    if n > 1 {
                        sum = sum + (Pack::new(simd, first[j]) + Pack::new(simd, beyond[j]));
                    }
                    *out = Pack::new(simd, second[j]).times_plus(distance, sum).value;
                }
                self.ramps.swap(0, 1);
            }
            self.sums.swap(0, 1);
            n = next;
        }
        start
    }

    /// `to = Σ from`, with the results at `to_at`.
    #[inline(always)]
    pub fn sum<S: Simd>(
        &mut self,
        simd: S,
        w: usize,
        run: Run,
        from: &[f32],
        to: &mut [f32],
        to_at: usize,
    ) {
        let start = self.run::<S, false>(simd, w, run, from);
        to[to_at..to_at + run.count].copy_from_slice(&self.sums[0][start..start + run.count]);
    }

    /// `sums = Σ from` and `ramps = Σ k from`.
    #[inline(always)]
    #[expect(
        clippy::too_many_arguments,
        reason = "one run, one source, two results"
    )]
    pub fn sum_and_ramp<S: Simd>(
        &mut self,
        simd: S,
        w: usize,
        run: Run,
        from: &[f32],
        sums: &mut [f32],
        ramps: &mut [f32],
        to_at: usize,
    ) {
        let start = self.run::<S, true>(simd, w, run, from);
        let plain = packs::<S>(&self.sums[0], start, run.count);
        let ramp = packs::<S>(&self.ramps[0], start, run.count);
        let middle = Pack::splat(simd, w as f32);
        let sums = packs_mut::<S>(sums, to_at, run.count);
        let ramps = packs_mut::<S>(ramps, to_at, run.count);
        for j in 0..plain.len() {
            let sum = Pack::new(simd, plain[j]);
            sums[j] = sum.value;
            ramps[j] = sum.times_from(middle, Pack::new(simd, ramp[j])).value;
        }
    }

    /// `to = Σ summed − Σ k ramped`.
    #[inline(always)]
    pub fn sum_less_ramp<S: Simd>(
        &mut self,
        simd: S,
        w: usize,
        run: Run,
        (summed, ramped): (&[f32], &[f32]),
        to: &mut [f32],
        to_at: usize,
    ) {
        self.sum(simd, w, run, summed, to, to_at);
        let start = self.run::<S, true>(simd, w, run, ramped);
        let plain = packs::<S>(&self.sums[0], start, run.count);
        let ramp = packs::<S>(&self.ramps[0], start, run.count);
        let middle = Pack::splat(simd, w as f32);
        let to = packs_mut::<S>(to, to_at, run.count);
        for (j, to) in to.iter_mut().enumerate() {
            let ramp = Pack::new(simd, plain[j]).times_from(middle, Pack::new(simd, ramp[j]));
            *to = (Pack::new(simd, *to) - ramp).value;
        }
    }
}

/// The last `2w + 2` slabs of some channels.
#[derive(Clone, Copy)]
pub(crate) struct Ring<'a> {
    pub layout: &'a Layout,
    pub numbers: &'a [f32],
    pub zeros: &'a [f32],
    pub channels: usize,
    /// slab at which sums began
    pub first: usize,
}

impl Ring<'_> {
    /// Slabs that a ring for long windows holds.
    pub fn slabs(layout: &Layout) -> usize {
        layout.ring_slabs()
    }

    #[inline(always)]
    fn plane<S: Simd>(&self, slab: Option<usize>, channel: usize) -> &[S::f32s] {
        let plane = self.layout.plane;
        match slab.filter(|&z| z < self.layout.slabs) {
            Some(z) => {
                let slot = z % Self::slabs(self.layout);
                packs::<S>(
                    self.numbers,
                    (slot * self.channels + channel) * plane,
                    plane,
                )
            }
            None => packs::<S>(self.zeros, 0, plane),
        }
    }

    /// Slides the sum of a channel, and its ramp if `ramp` is not empty, from slab `z − 1` to slab `z`.
    #[inline(always)]
    pub fn slide<S: Simd>(
        &self,
        simd: S,
        z: usize,
        channel: usize,
        sum: &mut [f32],
        ramp: &mut [f32],
    ) {
        let (plane, w) = (self.layout.plane, self.layout.half_width);
        let sum = packs_mut::<S>(sum, 0, plane);
        let ramp = packs_mut::<S>(ramp, 0, if ramp.is_empty() { 0 } else { plane });
        if (z - self.first).is_multiple_of(RESTART) {
            let zero = Pack::splat(simd, 0.0);
            sum.fill(zero.value);
            ramp.fill(zero.value);
            for k in 0..=2 * w {
                let slab = self.plane::<S>((z + k).checked_sub(w), channel);
                let distance = Pack::splat(simd, k as f32 - w as f32);
                for (sum, x) in sum.iter_mut().zip(slab) {
                    *sum = (Pack::new(simd, *sum) + Pack::new(simd, *x)).value;
                }
                for (ramp, x) in ramp.iter_mut().zip(slab) {
                    let x = Pack::new(simd, *x);
                    *ramp = x.times_plus(distance, Pack::new(simd, *ramp)).value;
                }
            }
            return;
        }
        let enters = self.plane::<S>(Some(z + w), channel);
        let leaves = self.plane::<S>(z.checked_sub(w + 1), channel);
        let (near, far) = (
            Pack::splat(simd, w as f32),
            Pack::splat(simd, (w + 1) as f32),
        );
        for (j, ramp) in ramp.iter_mut().enumerate() {
            let moved = Pack::new(simd, *ramp) - Pack::new(simd, sum[j]);
            let moved = Pack::new(simd, enters[j]).times_plus(near, moved);
            *ramp = Pack::new(simd, leaves[j]).times_plus(far, moved).value;
        }
        for (j, sum) in sum.iter_mut().enumerate() {
            let change = Pack::new(simd, enters[j]) - Pack::new(simd, leaves[j]);
            *sum = (Pack::new(simd, *sum) + change).value;
        }
    }
}
