//! Window sums along a row or a column of tiles, at a cost that does not depend on the length of the window.
//!
//! Plain sums slide, and begin anew in every patch. Ramps, sums weighted by the distance from the middle `i` of the window, would gather the
//! round-off of the sums they slide with. For them sites of a patch are cut into blocks no longer than a window (van Herk 1992; Gil and Werman
//! 1993, who do it for maxima). A window covers the end of one block, perhaps whole blocks, and the beginning of another, so its sum is put
//! together from a sum from a site to the end of its block, found going backward, and one from the beginning of a block, found going forward;
//! nothing is subtracted. What lies in another patch is in another lane. Ramps are found about a boundary `b` of the block and moved:
//! `Σ (s − i) v = Σ (s − b) v + (b − i) Σ v`.
//!
//! Three planes go together, x, y and z of a vector: one alone would wait for its own additions.

use std::any::Any;

use pulp::Simd;

use super::fold::{First, Fold, Shift, Windows};
use super::pack::{LINE, Pack, packs_mut};

/// Planes that go together.
pub(crate) const TOGETHER: usize = 3;
/// Sums kept of a site: plain ones and ramps.
pub(crate) const KEPT: usize = 2 * TOGETHER;

/// A row or a column of tiles.
#[derive(Clone, Copy)]
pub(crate) struct Line {
    first: usize,
    apart: usize,
}

impl Line {
    /// Rows (0) or columns (1) of planes of `tiles` tiles.
    #[inline(always)]
    pub fn all(fold: Fold, axis: usize, tiles: usize) -> impl Iterator<Item = Self> {
        let along = fold.sites[1];
        let (count, next, apart) = match axis {
            0 => (along, 1, along),
            _ => (tiles / along, along, 1),
        };
        (0..count).map(move |k| Self {
            first: k * next,
            apart,
        })
    }

    #[inline(always)]
    fn at(self, site: usize) -> usize {
        self.first + site * self.apart
    }
}

/// Sums of a site to the end of its block: of three planes, and of three more that are ramped.
pub(crate) type Kept<S> = [<S as Simd>::f32s; KEPT];

/// Memory as what is kept of sites.
#[inline(always)]
pub(crate) fn kept<S: Simd>(numbers: &mut [f32]) -> &mut [Kept<S>] {
    let count = numbers.len() / (KEPT * LINE) * KEPT * LINE;
    bytemuck::cast_slice_mut(packs_mut::<S>(numbers, 0, count))
}

/// The vectors of three planes at a site.
type Triple<S> = [Pack<S>; TOGETHER];

/// Three planes at a line.
#[derive(Clone, Copy)]
struct Source<'a, S: Simd> {
    simd: S,
    planes: [&'a [S::f32s]; TOGETHER],
    line: Line,
}

impl<S: Simd> Source<'_, S> {
    #[inline(always)]
    fn at(&self, site: usize) -> Triple<S> {
        let at = self.line.at(site);
        [
            Pack::new(self.simd, self.planes[0][at]),
            Pack::new(self.simd, self.planes[1][at]),
            Pack::new(self.simd, self.planes[2][at]),
        ]
    }
}

/// Window sums along a line: they slide, and begin anew with every patch.
#[inline(always)]
pub(crate) fn sum<S: Simd>(
    simd: S,
    windows: &Windows,
    line: Line,
    planes: [&[S::f32s]; TOGETHER],
    to: &mut [&mut [S::f32s]; TOGETHER],
) {
    let source = Source { simd, planes, line };
    let shift = |k: usize| Moved::new(simd, &windows.shifts[k]);
    let First {
        begin,
        begin_shift,
        ref between,
        end,
        end_shift,
    } = windows.first;
    // of a patch: sums up to where windows begin, up to where they end, and of all
    let zero = [Pack::splat(simd, 0.0); TOGETHER];
    let (mut outside, mut head, mut all) = (zero, zero, zero);
    for site in 0..windows.length {
        let v = source.at(site);
        if site == begin {
            outside = all;
        }
        for c in 0..TOGETHER {
            all[c] = all[c] + v[c];
        }
        if site == end {
            head = all;
        }
    }
    let mut sum = shift(end_shift).get(head);
    let tail = shift(begin_shift).get([0, 1, 2].map(|c| all[c] - outside[c]));
    for c in 0..TOGETHER {
        sum[c] = sum[c] + tail[c];
    }
    for k in between.clone() {
        let whole = shift(k).get(all);
        for c in 0..TOGETHER {
            sum[c] = sum[c] + whole[c];
        }
    }
    for c in 0..TOGETHER {
        to[c][line.at(0)] = sum[c].value;
    }
    for slide in &windows.slides {
        let (enters, leaves) = (shift(slide.enters_shift), shift(slide.leaves_shift));
        for (n, site) in slide.sites.clone().enumerate() {
            let enters = enters.get(source.at(slide.enters + n));
            let leaves = leaves.get(source.at(slide.leaves + n));
            let at = line.at(site);
            for c in 0..TOGETHER {
                sum[c] = sum[c] + (enters[c] - leaves[c]);
                to[c][at] = sum[c].value;
            }
        }
    }
}

/// Window sums along a line, and their ramps; `tails` is memory for a patch.
#[inline(always)]
pub(crate) fn sum_and_ramp<S: Simd>(
    simd: S,
    windows: &Windows,
    line: Line,
    planes: [&[S::f32s]; TOGETHER],
    [sums, ramps]: &mut [[&mut [S::f32s]; TOGETHER]; 2],
    tails: &mut [Kept<S>],
) {
    let source = Source { simd, planes, line };
    let zero = [Pack::splat(simd, 0.0); TOGETHER];
    let one = Pack::splat(simd, 1.0);
    for block in &windows.blocks {
        let (mut sum, mut ramp) = (zero, zero);
        let mut distance = Pack::splat(simd, 0.0);
        for (site, kept) in block.clone().zip(&mut tails[block.clone()]).rev() {
            let v = source.at(site);
            distance = distance - one;
            for c in 0..TOGETHER {
                sum[c] = sum[c] + v[c];
                ramp[c] = v[c].times_plus(distance, ramp[c]);
                kept[c] = sum[c].value;
                kept[TOGETHER + c] = ramp[c].value;
            }
        }
    }
    let (mut head, mut head_ramp) = (zero, zero);
    let mut inside = Pack::splat(simd, 0.0);
    for stretch in &windows.stretches {
        let begin = Moved::new(simd, &windows.shifts[stretch.begin_shift]);
        let end = Moved::new(simd, &windows.shifts[stretch.end_shift]);
        let (mut between, mut between_ramp) = (zero, zero);
        for whole in &windows.wholes[stretch.between.clone()] {
            let moved = Moved::new(simd, &windows.shifts[whole.shift]);
            let distance = Pack::splat(simd, whole.distance);
            let (sum, ramp) = moved.kept(simd, &tails[whole.first]);
            for c in 0..TOGETHER {
                between[c] = between[c] + sum[c];
                between_ramp[c] = between_ramp[c] + sum[c].times_plus(distance, ramp[c]);
            }
        }
        if stretch.anew {
            (head, head_ramp) = (zero, zero);
            inside = Pack::splat(simd, 0.0);
            for site in stretch.before.clone() {
                let v = end.get(source.at(site));
                for c in 0..TOGETHER {
                    head[c] = head[c] + v[c];
                    head_ramp[c] = v[c].times_plus(inside, head_ramp[c]);
                }
                inside = inside + one;
            }
        }
        let mut to_begin = Pack::splat(simd, stretch.to_begin);
        let mut to_end = Pack::splat(simd, stretch.to_end);
        let tails = &tails[stretch.begin..];
        for ((n, site), tail) in stretch.sites.clone().enumerate().zip(tails) {
            let at = line.at(site);
            let v = end.get(source.at(stretch.end + n));
            let (tail, tail_ramp) = begin.kept(simd, tail);
            for c in 0..TOGETHER {
                head[c] = head[c] + v[c];
                head_ramp[c] = v[c].times_plus(inside, head_ramp[c]);
                let ramp = tail_ramp[c] + head_ramp[c] + between_ramp[c];
                let ramp = head[c].times_plus(to_end, tail[c].times_plus(to_begin, ramp));
                sums[c][at] = (tail[c] + head[c] + between[c]).value;
                ramps[c][at] = ramp.value;
                // seen from the next window
                between_ramp[c] = between_ramp[c] - between[c];
            }
            inside = inside + one;
            to_begin = to_begin - one;
            to_end = to_end - one;
        }
    }
}

/// Window sums along a line less the ramps of something else.
#[inline(always)]
pub(crate) fn sum_less_ramp<S: Simd>(
    simd: S,
    windows: &Windows,
    line: Line,
    [summed, ramped]: [[&[S::f32s]; TOGETHER]; 2],
    to: &mut [&mut [S::f32s]; TOGETHER],
    tails: &mut [Kept<S>],
) {
    let [summed, ramped] = [summed, ramped].map(|planes| Source { simd, planes, line });
    let zero = [Pack::splat(simd, 0.0); TOGETHER];
    let one = Pack::splat(simd, 1.0);
    for block in &windows.blocks {
        // what is summed less the ramp about the end, and what is ramped
        let (mut less, mut sum) = (zero, zero);
        let mut distance = Pack::splat(simd, 0.0);
        for (site, kept) in block.clone().zip(&mut tails[block.clone()]).rev() {
            let (a, v) = (summed.at(site), ramped.at(site));
            distance = distance + one;
            for c in 0..TOGETHER {
                less[c] = v[c].times_plus(distance, less[c] + a[c]);
                sum[c] = sum[c] + v[c];
                kept[c] = less[c].value;
                kept[TOGETHER + c] = sum[c].value;
            }
        }
    }
    let (mut head_less, mut head) = (zero, zero);
    let mut inside = Pack::splat(simd, 0.0);
    for stretch in &windows.stretches {
        let begin = Moved::new(simd, &windows.shifts[stretch.begin_shift]);
        let end = Moved::new(simd, &windows.shifts[stretch.end_shift]);
        let (mut between, mut between_less) = (zero, zero);
        for whole in &windows.wholes[stretch.between.clone()] {
            let moved = Moved::new(simd, &windows.shifts[whole.shift]);
            let distance = Pack::splat(simd, whole.distance);
            let (less, sum) = moved.kept(simd, &tails[whole.first]);
            for c in 0..TOGETHER {
                between[c] = between[c] + sum[c];
                between_less[c] = between_less[c] + sum[c].times_from(distance, less[c]);
            }
        }
        if stretch.anew {
            (head_less, head) = (zero, zero);
            inside = Pack::splat(simd, 0.0);
            for site in stretch.before.clone() {
                let (a, v) = (end.get(summed.at(site)), end.get(ramped.at(site)));
                for c in 0..TOGETHER {
                    head_less[c] = v[c].times_from(inside, head_less[c] + a[c]);
                    head[c] = head[c] + v[c];
                }
                inside = inside + one;
            }
        }
        let mut to_begin = Pack::splat(simd, stretch.to_begin);
        let mut to_end = Pack::splat(simd, stretch.to_end);
        let tails = &tails[stretch.begin..];
        for ((n, site), tail) in stretch.sites.clone().enumerate().zip(tails) {
            let at = line.at(site);
            let (a, v) = (
                end.get(summed.at(stretch.end + n)),
                end.get(ramped.at(stretch.end + n)),
            );
            let (tail_less, tail) = begin.kept(simd, tail);
            for c in 0..TOGETHER {
                head_less[c] = v[c].times_from(inside, head_less[c] + a[c]);
                head[c] = head[c] + v[c];
                let less = tail_less[c] + head_less[c] + between_less[c];
                let less = head[c].times_from(to_end, tail[c].times_from(to_begin, less));
                to[c][at] = less.value;
                between_less[c] = between_less[c] + between[c];
            }
            inside = inside + one;
            to_begin = to_begin - one;
            to_end = to_end - one;
        }
    }
}

/// A shift in the form that reads vectors as other patches have them.
#[derive(Clone, Copy)]
struct Moved<S: Simd> {
    from: S::u32s,
    mask: S::u32s,
    bits: u16,
}

impl<S: Simd> Moved<S> {
    #[inline(always)]
    fn new(simd: S, shift: &Shift) -> Self {
        let load = |numbers: &[u32]| {
            let mut out = simd.splat_u32s(0);
            let lanes: &mut [u32] = bytemuck::cast_slice_mut(std::slice::from_mut(&mut out));
            lanes.copy_from_slice(&numbers[..S::F32_LANES]);
            out
        };
        Self {
            from: load(&shift.from),
            mask: load(&shift.mask),
            bits: shift.bits,
        }
    }

    #[inline(always)]
    fn get(&self, values: Triple<S>) -> Triple<S> {
        [
            self.one(values[0].simd, values[0].value),
            self.one(values[1].simd, values[1].value),
            self.one(values[2].simd, values[2].value),
        ]
    }

    /// What is kept of a site.
    #[inline(always)]
    fn kept(&self, simd: S, kept: &Kept<S>) -> (Triple<S>, Triple<S>) {
        let one = |c: usize| self.one(simd, kept[c]);
        ([one(0), one(1), one(2)], [one(3), one(4), one(5)])
    }

    #[inline(always)]
    fn one(&self, simd: S, value: S::f32s) -> Pack<S> {
        #[cfg(target_arch = "x86_64")]
        {
            // resolved when compiled
            if let Some(v4) = (&simd as &dyn Any).downcast_ref::<pulp::x86::V4>() {
                let (value, from) = (bytemuck::cast(value), bytemuck::cast(self.from));
                let moved = (v4.avx512f)._mm512_maskz_permutexvar_ps(self.bits, from, value);
                return Pack::new(simd, bytemuck::cast(moved));
            }
            if let Some(v3) = (&simd as &dyn Any).downcast_ref::<pulp::x86::V3>() {
                let (value, from) = (bytemuck::cast(value), bytemuck::cast(self.from));
                let moved = v3.avx2._mm256_permutevar8x32_ps(value, from);
                let moved = v3.avx._mm256_and_ps(moved, bytemuck::cast(self.mask));
                return Pack::new(simd, bytemuck::cast(moved));
            }
        }
        // one number after the other
        let mut out = simd.splat_f32s(0.0);
        let moved: &mut [f32] = bytemuck::cast_slice_mut(std::slice::from_mut(&mut out));
        let numbers: &[f32] = bytemuck::cast_slice(std::slice::from_ref(&value));
        let from: &[u32] = bytemuck::cast_slice(std::slice::from_ref(&self.from));
        let mask: &[u32] = bytemuck::cast_slice(std::slice::from_ref(&self.mask));
        for lane in 0..S::F32_LANES {
            if mask[lane] != 0 {
                moved[lane] = numbers[from[lane] as usize];
            }
        }
        Pack::new(simd, out)
    }
}
