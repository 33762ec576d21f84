//! Window sums down columns of vectors, at a cost that does not depend on the length of the window.
//!
//! Plain sums slide: a site enters, another leaves. Ramps, sums weighted by the distance from the middle of the window, would gather the
//! round-off of the sums they slide with. For them sites are cut into blocks as long as a window (van Herk 1992; Gil and Werman 1993, who do it
//! for maxima). A window covers the end of one block and the beginning of the next, so its sum is a sum from a site to the end of a block,
//! found going backward, and one from the beginning of a block, found going forward; nothing is subtracted. Ramps are found about the boundary
//! `b` of the blocks and moved to the middle `i` of the window: `Σ (s − i) v = Σ (s − b) v + (b − i) Σ v`.
//!
//! Three columns go together, x, y and z of a vector: one alone would wait for its own additions.

use std::slice::IterMut;

use pulp::Simd;

use super::pack::Pack;

/// Sites after which a sum that slides begins anew.
const RESTART: usize = 64;

/// Columns that go together.
pub(crate) const TOGETHER: usize = 3;

/// The vectors of all columns at a site.
pub(crate) type Triple<S> = [<S as Simd>::f32s; TOGETHER];

/// What takes the vectors of one site after the other.
pub(crate) trait Sink<S: Simd> {
    fn put(&mut self, values: Triple<S>);
}

impl<S: Simd> Sink<S> for IterMut<'_, Triple<S>> {
    #[inline(always)]
    fn put(&mut self, values: Triple<S>) {
        if let Some(to) = self.next() {
            *to = values;
        }
    }
}

/// The windows about the sites `begin ..`, as many as a window is long. They begin in one block and end in the next.
struct Group {
    windows: usize,
    /// the windows that begin inside the column: from `first` to before `last`
    first: usize,
    last: usize,
    /// site of the first of these, and the first site of the second block
    site: usize,
    boundary: usize,
}

impl Group {
    #[inline(always)]
    fn new(w: usize, count: usize, begin: usize) -> Self {
        let (length, boundary) = (2 * w + 1, count.min(begin + w + 1));
        Self {
            windows: length.min(count - begin),
            first: w.saturating_sub(begin),
            last: (count + w - begin).min(length),
            site: begin.saturating_sub(w),
            boundary,
        }
    }
}

/// `to = Σ from` over windows of half-width `w`; as many sites as `from` has.
#[inline(always)]
pub(crate) fn sum<S: Simd>(simd: S, w: usize, from: &[Triple<S>], mut to: impl Sink<S>) {
    let count = from.len();
    for begin in (0..count).step_by(RESTART) {
        let end = count.min(begin + RESTART);
        let mut sum = [simd.splat_f32s(0.0); TOGETHER];
        // with the site that leaves at once
        for v in &from[begin.saturating_sub(w + 1)..count.min(begin + w)] {
            sum = add(simd, sum, *v);
        }
        // the next window gets a site, both loses one and gets one, only loses one or does neither
        let entering = count.saturating_sub(w).clamp(begin, end);
        let leaving = (w + 1).clamp(begin, end);
        let (one, other) = (entering.min(leaving), entering.max(leaving));
        for enters in &from[count.min(begin + w)..][..one - begin] {
            sum = add(simd, sum, *enters);
            to.put(sum);
        }
        if leaving < entering {
            let leaves = &from[one - w - 1..];
            for (enters, leaves) in from[one + w..other + w].iter().zip(leaves) {
                sum = add(simd, sum, less(simd, *enters, *leaves));
                to.put(sum);
            }
        } else {
            for _ in one..other {
                to.put(sum);
            }
        }
        for leaves in &from[other.saturating_sub(w + 1)..][..end - other] {
            sum = less(simd, sum, *leaves);
            to.put(sum);
        }
    }
}

/// `sums = Σ from` and `ramps = Σ (s − i) from`; `ends` is memory for a window.
#[inline(always)]
pub(crate) fn sum_and_ramp<S: Simd>(
    simd: S,
    w: usize,
    from: &[Triple<S>],
    mut sums: impl Sink<S>,
    mut ramps: impl Sink<S>,
    ends: &mut [[Triple<S>; 2]],
) {
    let zero = [[simd.splat_f32s(0.0); TOGETHER]; 2];
    let one = Pack::splat(simd, 1.0);
    let (count, length) = (from.len(), 2 * w + 1);
    for begin in (0..count).step_by(length) {
        let g = Group::new(w, count, begin);
        let mut end = zero;
        ends[g.last..length].fill(zero);
        let mut distance = Pack::splat(simd, g.last as f32 - length as f32);
        let inside = from[g.site..].iter().zip(&mut ends[g.first..g.last]);
        for (v, kept) in inside.rev() {
            distance = distance - one;
            end = [add(simd, end[0], *v), times_plus(distance, *v, end[1])];
            *kept = end;
        }
        ends[..g.first].fill(end);
        // of the boundary from the middle, and of the next site from the boundary
        let mut middle = Pack::splat(simd, (w + 1) as f32);
        let mut site = Pack::splat(simd, 0.0);
        let mut head = zero;
        let mut next = from[g.boundary..].iter();
        for end in &ends[..g.windows] {
            let sum = add(simd, end[0], head[0]);
            sums.put(sum);
            ramps.put(times_plus(middle, sum, add(simd, end[1], head[1])));
            middle = middle - one;
            if let Some(v) = next.next() {
                head = [add(simd, head[0], *v), times_plus(site, *v, head[1])];
                site = site + one;
            }
        }
    }
}

/// `to = Σ summed − Σ (s − i) ramped`
#[inline(always)]
pub(crate) fn sum_less_ramp<S: Simd>(
    simd: S,
    w: usize,
    (summed, ramped): (&[Triple<S>], &[Triple<S>]),
    mut to: impl Sink<S>,
    ends: &mut [[Triple<S>; 2]],
) {
    let zero = [[simd.splat_f32s(0.0); TOGETHER]; 2];
    let one = Pack::splat(simd, 1.0);
    let (count, length) = (ramped.len(), 2 * w + 1);
    for begin in (0..count).step_by(length) {
        let g = Group::new(w, count, begin);
        // what is summed less the ramp about the boundary, and what is ramped
        let mut end = zero;
        ends[g.last..length].fill(zero);
        let mut distance = Pack::splat(simd, length as f32 - g.last as f32);
        let sites = summed[g.site..].iter().zip(&ramped[g.site..count]);
        for ((a, v), kept) in sites.zip(&mut ends[g.first..g.last]).rev() {
            distance = distance + one;
            let less = times_plus(distance, *v, add(simd, end[0], *a));
            end = [less, add(simd, end[1], *v)];
            *kept = end;
        }
        ends[..g.first].fill(end);
        // the other way round, as ramps are taken away
        let mut middle = Pack::splat(simd, -((w + 1) as f32));
        let mut site = Pack::splat(simd, 0.0);
        let mut head = zero;
        let mut next = summed[g.boundary..].iter().zip(&ramped[g.boundary..]);
        for end in &ends[..g.windows] {
            let sum = add(simd, end[1], head[1]);
            to.put(times_plus(middle, sum, add(simd, end[0], head[0])));
            middle = middle + one;
            if let Some((a, v)) = next.next() {
                let less = times_plus(site, *v, add(simd, head[0], *a));
                head = [less, add(simd, head[1], *v)];
                site = site - one;
            }
        }
    }
}

#[inline(always)]
fn add<S: Simd>(simd: S, a: Triple<S>, b: Triple<S>) -> Triple<S> {
    [
        simd.add_f32s(a[0], b[0]),
        simd.add_f32s(a[1], b[1]),
        simd.add_f32s(a[2], b[2]),
    ]
}

#[inline(always)]
fn less<S: Simd>(simd: S, a: Triple<S>, b: Triple<S>) -> Triple<S> {
    [
        simd.sub_f32s(a[0], b[0]),
        simd.sub_f32s(a[1], b[1]),
        simd.sub_f32s(a[2], b[2]),
    ]
}

/// `a · b + c`
#[inline(always)]
fn times_plus<S: Simd>(a: Pack<S>, b: Triple<S>, c: Triple<S>) -> Triple<S> {
    let simd = a.simd;
    [
        simd.mul_add_e_f32s(a.value, b[0], c[0]),
        simd.mul_add_e_f32s(a.value, b[1], c[1]),
        simd.mul_add_e_f32s(a.value, b[2], c[2]),
    ]
}
