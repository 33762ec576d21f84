//! Window sums along a row or a column of tiles, at a cost that does not depend on the length of the window.
//!
//! Sums slide: a site enters the window and one leaves it. They restart in every segment of a patch, which bounds round-off. Sites of
//! another patch are in another lane. Ramps, sums weighted by the distance from the middle `i` of the window, would accumulate the round-off of the
//! sums they slide with. They are summed about the middle `p` of the segment instead, and shifted: `Σ (s − i) v = Σ (s − p) v − (i − p) Σ v`.
//!
//! All numbers of a tile are processed together, because the bookkeeping of segments, patches and sites takes longer than three additions.

use std::ops::Range;

use pulp::Simd;

use crate::kernels::memory::fold::{Fold, Slide, Windows, middle_of_patch};
use crate::kernels::memory::tiles::{COMPONENTS, Read, Write};
use crate::kernels::vector::pack::{OnLine, Pack};
use crate::kernels::windows::shifted::LaneShift;
use crate::kernels::windows::terms::{Site, Sums, Terms};

/// Rows (0) or columns (1) of tiles.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lines {
    windows: Windows,
    /// tiles of a column, and from a tile of a line to the next
    column: usize,
    tile_stride: usize,
    axis: usize,
}

impl Lines {
    /// Along x (0) or y (1).
    pub fn new(fold: Fold, axis: usize, half_width: usize) -> Self {
        let column = fold.sites[1];
        Self {
            windows: fold.windows(axis, half_width),
            column,
            tile_stride: if axis == 0 { column } else { 1 },
            axis,
        }
    }

    /// Window sums along all lines of `columns` columns of tiles: `N` triples of sums of the terms `T`.
    #[inline(always)]
    pub fn sum<S: Simd, T: Terms<S, N>, const N: usize>(
        &self,
        simd: S,
        columns: usize,
        from: &impl Read<S>,
        to: &mut impl Write<S>,
    ) {
        let (count, next) = match self.axis {
            0 => (self.column, 1),
            _ => (columns, self.column),
        };
        for line in 0..count {
            let line = Line {
                windows: &self.windows,
                first: line * next,
                tile_stride: self.tile_stride,
            };
            line.sum::<S, T, N>(simd, from, to);
        }
    }
}

/// Neighbouring windows; the first is at distance `from_middle` from the middle of the segment.
#[derive(Clone, Copy)]
struct Slid<'a> {
    slide: &'a Slide,
    from_middle: f32,
}

/// A row or a column of tiles.
#[derive(Clone, Copy)]
struct Line<'a> {
    windows: &'a Windows,
    first: usize,
    tile_stride: usize,
}

impl Line<'_> {
    #[inline(always)]
    fn tile(self, site: usize) -> usize {
        self.first + site * self.tile_stride
    }

    #[inline(always)]
    fn sum<S: Simd, T: Terms<S, N>, const N: usize>(
        self,
        simd: S,
        from: &impl Read<S>,
        to: &mut impl Write<S>,
    ) {
        let windows = self.windows;
        let splat = |number: f32| Pack::splat(simd, number);
        let mut whole = OnLine([[splat(0.0); COMPONENTS]; N]);
        if windows.has_whole {
            let middle = middle_of_patch(windows.length);
            whole.0 = self.sum_range::<S, T, N>(simd, from, 0..windows.length, middle);
        }
        // forced into memory, to leave the registers to the loops
        let whole = std::hint::black_box(&whole);
        for segment in &windows.segments {
            let mut sums = [[splat(0.0); COMPONENTS]; N];
            for run in &segment.runs {
                let mut part = whole.0;
                if !run.is_whole {
                    part = self.sum_range::<S, T, N>(simd, from, run.sites.clone(), segment.middle);
                }
                let shift = &windows.shifts[run.shift];
                if !shift.is_identity {
                    let moved = LaneShift::new(simd, shift);
                    for part in &mut part {
                        *part = moved.get(*part);
                    }
                }
                T::shift_origin(&mut part, splat(run.offset));
                for k in 0..N {
                    for c in 0..COMPONENTS {
                        sums[k][c] = sums[k][c] + part[k][c];
                    }
                }
            }
            let to_middle = segment.middle - segment.first as f32;
            self.write_about::<S, T, N>(to, segment.first, sums, splat(to_middle));
            for slide in &segment.slides {
                let sites = Slid {
                    slide,
                    from_middle: slide.first as f32 - segment.middle,
                };
                let shifts = [slide.enters_shift, slide.leaves_shift];
                let shifts = shifts.map(|shift| &windows.shifts[shift]);
                // two variants of the loop, each without branches
                if shifts[0].is_identity && shifts[1].is_identity {
                    self.slide::<S, T, N>(simd, from, to, &mut sums, sites, [None, None]);
                } else {
                    let moved = [
                        LaneShift::new(simd, shifts[0]),
                        LaneShift::new(simd, shifts[1]),
                    ];
                    let moved = [Some(&moved[0]), Some(&moved[1])];
                    self.slide::<S, T, N>(simd, from, to, &mut sums, sites, moved);
                }
            }
        }
    }

    /// Slides to the next windows.
    #[inline(always)]
    fn slide<S: Simd, T: Terms<S, N>, const N: usize>(
        self,
        simd: S,
        from: &impl Read<S>,
        to: &mut impl Write<S>,
        sums: &mut Sums<S, N>,
        Slid { slide, from_middle }: Slid<'_>,
        moved: [Option<&LaneShift<S>>; 2],
    ) {
        let splat = |number: f32| Pack::splat(simd, number);
        let (one, w) = (splat(1.0), self.windows.half_width as f32);
        let mut to_middle = splat(-from_middle);
        let (mut near, mut far) = (splat(from_middle + w), splat(from_middle - w - 1.0));
        for n in 0..slide.count {
            let enters = Site {
                simd,
                from,
                tile: self.tile(slide.enters + n),
                moved: moved[0],
            };
            let leaves = Site {
                simd,
                from,
                tile: self.tile(slide.leaves + n),
                moved: moved[1],
            };
            T::slide(sums, (enters, near), (leaves, far));
            self.write_about::<S, T, N>(to, slide.first + n, *sums, to_middle);
            to_middle = to_middle - one;
            (near, far) = (near + one, far + one);
        }
    }

    #[inline(always)]
    fn write_about<S: Simd, T: Terms<S, N>, const N: usize>(
        self,
        to: &mut impl Write<S>,
        site: usize,
        mut sums: Sums<S, N>,
        to_middle: Pack<S>,
    ) {
        T::shift_origin(&mut sums, to_middle);
        T::write(&sums, to, self.tile(site));
    }

    /// Sums over some sites of a patch about `middle`.
    #[inline(always)]
    fn sum_range<S: Simd, T: Terms<S, N>, const N: usize>(
        self,
        simd: S,
        from: &impl Read<S>,
        sites: Range<usize>,
        middle: f32,
    ) -> Sums<S, N> {
        let one = Pack::splat(simd, 1.0);
        let mut distance = Pack::splat(simd, sites.start as f32 - middle);
        let mut sums = [[Pack::splat(simd, 0.0); COMPONENTS]; N];
        for site in sites {
            let site = Site {
                simd,
                from,
                tile: self.tile(site),
                moved: None,
            };
            T::add(&mut sums, site, distance);
            distance = distance + one;
        }
        sums
    }
}
