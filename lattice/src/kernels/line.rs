//! Window sums along a row or a column of tiles, at a cost that does not depend on the length of the window.
//!
//! Sums slide: a site enters the window and one leaves it. They begin anew in every segment of a patch, which bounds round-off. What lies in
//! another patch is in another lane. Ramps, sums weighted by the distance from the middle `i` of the window, would gather the round-off of the
//! sums they slide with; they are summed about the middle `p` of the segment instead, and moved: `Σ (s − i) v = Σ (s − p) v − (i − p) Σ v`.
//!
//! Three planes go together, x, y and z of a vector: one alone would wait for its own additions.

use std::ops::Range;

use pulp::Simd;

use super::fold::{Fold, Windows, middle_of_patch};
use super::pack::Pack;
use super::shifted::Moved;
use super::terms::{Less, Plain, Ramped, Sites, Source, Sums, Terms};

/// Planes that go together.
pub(crate) const TOGETHER: usize = 3;

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
    pub fn at(self, site: usize) -> usize {
        self.first + site * self.apart
    }
}

/// Window sums along a line.
#[inline(always)]
fn run<S: Simd, T: Terms<S>>(windows: &Windows, mut terms: T) {
    let simd = terms.sites().simd();
    let splat = |number: f32| Pack::splat(simd, number);
    let (one, w) = (splat(1.0), windows.half_width as f32);
    let mut whole = [[splat(0.0); TOGETHER]; 2];
    if windows.has_whole {
        whole = stretch(&terms, 0..windows.length, middle_of_patch(windows.length));
    }
    for segment in &windows.segments {
        let mut sums = [[splat(0.0); TOGETHER]; 2];
        for run in &segment.runs {
            let mut part = whole;
            if !run.is_whole {
                part = stretch(&terms, run.sites.clone(), segment.middle);
            }
            let moved = Moved::new(simd, &windows.shifts[run.shift]);
            part = [moved.get(part[0]), moved.get(part[1])];
            T::further(&mut part, splat(run.offset));
            for k in 0..2 {
                for c in 0..TOGETHER {
                    sums[k][c] = sums[k][c] + part[k][c];
                }
            }
        }
        let to_middle = segment.middle - segment.first as f32;
        put_about(&mut terms, segment.first, sums, splat(to_middle));
        for slide in &segment.slides {
            let from_enters = Moved::new(simd, &windows.shifts[slide.enters_shift]);
            let from_leaves = Moved::new(simd, &windows.shifts[slide.leaves_shift]);
            let from_middle = slide.first as f32 - segment.middle;
            let mut to_middle = splat(-from_middle);
            let (mut near, mut far) = (splat(from_middle + w), splat(from_middle - w - 1.0));
            for n in 0..slide.count {
                let enters = T::Sites::moved(&from_enters, terms.sites().at(slide.enters + n));
                let leaves = T::Sites::moved(&from_leaves, terms.sites().at(slide.leaves + n));
                T::slide(&mut sums, (enters, near), (leaves, far));
                put_about(&mut terms, slide.first + n, sums, to_middle);
                to_middle = to_middle - one;
                (near, far) = (near + one, far + one);
            }
        }
    }
}

#[inline(always)]
fn put_about<S: Simd, T: Terms<S>>(
    terms: &mut T,
    site: usize,
    mut sums: Sums<S>,
    to_middle: Pack<S>,
) {
    T::further(&mut sums, to_middle);
    terms.put(site, &sums);
}

/// Sums over some sites of a patch about `middle`.
#[inline(always)]
fn stretch<S: Simd, T: Terms<S>>(terms: &T, sites: Range<usize>, middle: f32) -> Sums<S> {
    let simd = terms.sites().simd();
    let one = Pack::splat(simd, 1.0);
    let mut distance = Pack::splat(simd, sites.start as f32 - middle);
    let mut sums = [[Pack::splat(simd, 0.0); TOGETHER]; 2];
    for site in sites {
        T::add(&mut sums, terms.sites().at(site), distance);
        distance = distance + one;
    }
    sums
}

/// Window sums along a line.
#[inline(always)]
pub(crate) fn sum<S: Simd>(
    simd: S,
    windows: &Windows,
    line: Line,
    planes: [&[S::f32s]; TOGETHER],
    to: &mut [&mut [S::f32s]; TOGETHER],
) {
    let source = Source { simd, planes, line };
    run(windows, Plain { source, to });
}

/// Window sums along a line, and their ramps.
#[inline(always)]
pub(crate) fn sum_and_ramp<S: Simd>(
    simd: S,
    windows: &Windows,
    line: Line,
    planes: [&[S::f32s]; TOGETHER],
    to: &mut [[&mut [S::f32s]; TOGETHER]; 2],
) {
    let source = Source { simd, planes, line };
    run(windows, Ramped { source, to });
}

/// Window sums along a line less the ramps of something else.
#[inline(always)]
pub(crate) fn sum_less_ramp<S: Simd>(
    simd: S,
    windows: &Windows,
    line: Line,
    [summed, ramped]: [[&[S::f32s]; TOGETHER]; 2],
    to: &mut [&mut [S::f32s]; TOGETHER],
) {
    let sources = [summed, ramped].map(|planes| Source { simd, planes, line });
    run(windows, Less { sources, to });
}
