//! Window sums along x and y of folded planes (see [`super::fold`]), at a cost that does not depend on the length of the window: passes over
//! all rows and columns of tiles (see [`super::line`]).
//!
//! Windows along x come first where sums of particles are wanted and last where sums of what regions say are, so that between the two a few
//! columns of tiles can be finished, matched and begun again while their numbers are in the nearest cache.

use std::ops::Range;

use pulp::Simd;

use super::fold::{Fold, Windows};
use super::line::{Line, TOGETHER, sum, sum_and_ramp, sum_less_ramp};
use super::pack::{Numbers, packs, packs_mut};

/// Three planes that begin at `at` and lie `step` numbers apart.
#[derive(Clone, Copy)]
struct Planes {
    at: usize,
    step: usize,
    /// numbers of a plane
    count: usize,
}

impl Planes {
    #[inline(always)]
    fn of<S: Simd>(self, numbers: &[f32]) -> [&[S::f32s]; TOGETHER] {
        [0, 1, 2].map(|c| packs::<S>(numbers, self.at + c * self.step, self.count))
    }

    #[inline(always)]
    fn of_mut<S: Simd>(self, numbers: &mut [f32]) -> [&mut [S::f32s]; TOGETHER] {
        let (first, rest) = numbers[self.at..].split_at_mut(self.step);
        let (second, third) = rest.split_at_mut(self.step);
        [
            packs_mut::<S>(first, 0, self.count),
            packs_mut::<S>(second, 0, self.count),
            packs_mut::<S>(third, 0, self.count),
        ]
    }
}

/// Numbers in planes `step` apart.
#[derive(Debug)]
pub(crate) struct Stack<N> {
    pub numbers: N,
    pub step: usize,
}

/// Passes along x and y, and nine planes between them: three triples.
#[derive(Debug, Clone, Default)]
pub(crate) struct Folded {
    passes: Passes,
    between: Numbers,
}

impl Folded {
    pub fn new(fold: Fold, half_width: usize) -> Self {
        Self {
            between: Numbers::zeros(3 * TOGETHER * fold.places()),
            passes: Passes {
                windows: [fold.windows(0, half_width), fold.windows(1, half_width)],
                fold,
            },
        }
    }

    pub fn fold(&self) -> Fold {
        self.passes.fold
    }

    /// Three planes of triple `k` between the passes, and those of the triples before and after.
    #[inline(always)]
    fn triple(&self, k: usize) -> Planes {
        let places = self.passes.fold.places();
        Planes {
            at: TOGETHER * k * places,
            step: places,
            count: places,
        }
    }

    /// The part of it in columns of tiles.
    #[inline(always)]
    fn part(&self, k: usize, columns: &Range<usize>) -> Planes {
        let column = self.passes.fold.column();
        let planes = self.triple(k);
        Planes {
            at: planes.at + columns.start * column,
            count: columns.len() * column,
            ..planes
        }
    }

    /// `to = Σ Σ from`, three planes each.
    #[inline(always)]
    pub fn sum<S: Simd>(&mut self, simd: S, from: Stack<&[f32]>, to: Stack<&mut [f32]>) {
        let between = self.triple(0);
        let planes = |step: usize| Planes {
            at: 0,
            step,
            ..between
        };
        let Self {
            passes,
            between: memory,
        } = self;
        let source = planes(from.step).of::<S>(from.numbers);
        passes.sum(simd, 0, source, &mut between.of_mut::<S>(memory));
        let mut out = planes(to.step).of_mut::<S>(to.numbers);
        passes.sum(simd, 1, between.of::<S>(memory), &mut out);
    }

    /// Sums along x of three planes of plain sums and three of ramps along z, and the ramps along x of the former, for
    /// [`Self::moments_along_y`].
    #[inline(always)]
    pub fn moments_along_x<S: Simd>(&mut self, simd: S, from: Stack<&[f32]>) {
        let [plain, ramped, others] = [0, 1, 2].map(|k| self.triple(k));
        let source = |k: usize| Planes {
            at: TOGETHER * k * from.step,
            step: from.step,
            ..plain
        };
        let Self { passes, between } = self;
        let (first, rest) = between.split_at_mut(ramped.at);
        let mut out = [plain.of_mut::<S>(first), plain.of_mut::<S>(rest)];
        passes.sum_and_ramp(simd, 0, source(0).of::<S>(from.numbers), &mut out);
        let mut out = others.of_mut::<S>(between);
        passes.sum(simd, 0, source(1).of::<S>(from.numbers), &mut out);
    }

    /// Moments of the regions of some columns of tiles: three plain sums, then for each its ramps along x, y and z.
    #[inline(always)]
    pub fn moments_along_y<S: Simd>(
        &mut self,
        simd: S,
        columns: &Range<usize>,
        moments: Stack<&mut [f32]>,
    ) {
        let [plain, ramped, others] = [0, 1, 2].map(|k| self.part(k, columns));
        let Stack { numbers, step } = moments;
        let (sums, ramps) = numbers.split_at_mut(TOGETHER * step);
        let ramps_along = |axis: usize| Planes {
            at: axis * step,
            step: 3 * step,
            ..plain
        };
        let sums_at = Planes {
            at: 0,
            step,
            ..plain
        };
        let Self { passes, between } = self;
        let mut out = [sums_at.of_mut::<S>(sums), ramps_along(1).of_mut::<S>(ramps)];
        passes.sum_and_ramp(simd, 1, plain.of::<S>(between), &mut out);
        for (planes, axis) in [(ramped, 0), (others, 2)] {
            let mut out = ramps_along(axis).of_mut::<S>(ramps);
            passes.sum(simd, 1, planes.of::<S>(between), &mut out);
        }
    }

    /// Sums along y of what the regions of some columns of tiles say: τ (three planes) less the ramps of the second column of R (row-major),
    /// and the other columns; for [`Self::transforms_along_x`].
    #[inline(always)]
    pub fn transforms_along_y<S: Simd>(
        &mut self,
        simd: S,
        columns: &Range<usize>,
        transforms: Stack<&[f32]>,
    ) {
        let [less, ramped, others] = [0, 1, 2].map(|k| self.part(k, columns));
        let Stack { numbers, step } = transforms;
        let seen = Planes {
            at: 0,
            step,
            ..less
        }
        .of::<S>(numbers);
        let column = |k: usize| {
            let planes = Planes {
                at: (TOGETHER + k) * step,
                step: 3 * step,
                ..less
            };
            planes.of::<S>(numbers)
        };
        let Self { passes, between } = self;
        let mut out = less.of_mut::<S>(between);
        passes.sum_less_ramp(simd, 1, [seen, column(1)], &mut out);
        for (planes, k) in [(ramped, 0), (others, 2)] {
            passes.sum(simd, 1, column(k), &mut planes.of_mut::<S>(between));
        }
    }

    /// The same along x, of all columns: for each of three components what windows along z sum, then what they weight.
    #[inline(always)]
    pub fn transforms_along_x<S: Simd>(&mut self, simd: S, to: Stack<&mut [f32]>) {
        let [less, ramped, others] = [0, 1, 2].map(|k| self.triple(k));
        let Stack { numbers, step } = to;
        let planes = |at: usize| Planes {
            at,
            step: 2 * step,
            ..less
        };
        let Self { passes, between } = self;
        let source = [less.of::<S>(between), ramped.of::<S>(between)];
        passes.sum_less_ramp(simd, 0, source, &mut planes(0).of_mut::<S>(numbers));
        let mut out = planes(step).of_mut::<S>(numbers);
        passes.sum(simd, 0, others.of::<S>(between), &mut out);
    }
}

/// Passes along one axis: rows (0) or columns (1) of tiles.
#[derive(Debug, Clone, Default)]
struct Passes {
    fold: Fold,
    /// along x and y
    windows: [Windows; 2],
}

impl Passes {
    #[inline(always)]
    fn sum<S: Simd>(
        &self,
        simd: S,
        axis: usize,
        from: [&[S::f32s]; TOGETHER],
        to: &mut [&mut [S::f32s]; TOGETHER],
    ) {
        let windows = &self.windows[axis];
        for line in Line::all(self.fold, axis, to[0].len()) {
            sum(simd, windows, line, from, to);
        }
    }

    #[inline(always)]
    fn sum_and_ramp<S: Simd>(
        &self,
        simd: S,
        axis: usize,
        from: [&[S::f32s]; TOGETHER],
        to: &mut [[&mut [S::f32s]; TOGETHER]; 2],
    ) {
        let windows = &self.windows[axis];
        for line in Line::all(self.fold, axis, to[0][0].len()) {
            sum_and_ramp(simd, windows, line, from, to);
        }
    }

    #[inline(always)]
    fn sum_less_ramp<S: Simd>(
        &self,
        simd: S,
        axis: usize,
        from: [[&[S::f32s]; TOGETHER]; 2],
        to: &mut [&mut [S::f32s]; TOGETHER],
    ) {
        let windows = &self.windows[axis];
        for line in Line::all(self.fold, axis, to[0].len()) {
            sum_less_ramp(simd, windows, line, from, to);
        }
    }
}

#[cfg(test)]
mod tests {
    use pulp::WithSimd;

    use super::*;
    use crate::kernels::Level;
    use crate::kernels::pack::LINE;
    use crate::testing::Random;

    /// Sums of nine numbers a site: moments of three, and what three with nine more say.
    struct Both<'a> {
        folded: &'a mut Folded,
        group: usize,
        places: usize,
        field: &'a [f32],
        moments: &'a mut [f32],
        said: &'a mut [f32],
    }

    impl WithSimd for Both<'_> {
        type Output = ();

        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) {
            let Self { folded, places, .. } = self;
            let fold = folded.fold();
            let step = places;
            let numbers = self.field;
            folded.moments_along_x(simd, Stack { numbers, step });
            for first in (0..fold.sites[0]).step_by(self.group) {
                let columns = first..(first + self.group).min(fold.sites[0]);
                let mut out = Numbers::zeros(12 * places);
                let numbers = &mut *out;
                folded.moments_along_y(simd, &columns, Stack { numbers, step });
                let (at, count) = (first * fold.column(), columns.len() * fold.column());
                for c in 0..12 {
                    self.moments[c * places + at..][..count]
                        .copy_from_slice(&out[c * places..][..count]);
                }
            }
            for first in (0..fold.sites[0]).step_by(self.group) {
                let columns = first..(first + self.group).min(fold.sites[0]);
                let numbers = &self.field[first * fold.column()..];
                folded.transforms_along_y(simd, &columns, Stack { numbers, step });
            }
            let numbers = self.said;
            folded.transforms_along_x(simd, Stack { numbers, step });
        }
    }

    /// Rows and columns shorter than a patch has lanes, as long, and longer; windows inside a patch, and over several.
    #[test]
    fn sums_of_folded_planes_are_those_site_by_site() {
        for (nx, ny) in [
            (1, 9),
            (9, 1),
            (2, 31),
            (31, 2),
            (16, 17),
            (38, 38),
            (70, 3),
        ] {
            for w in [1, 2, 3, 4, 7, 12] {
                for level in [Level::Portable, Level::Avx2, Level::Avx512] {
                    compare(nx, ny, w, level);
                }
            }
        }
    }

    fn compare(nx: usize, ny: usize, w: usize, level: Level) {
        let fold = Fold::of(nx, ny, level.lanes());
        let places = fold.places().next_multiple_of(LINE);
        let mut random = Random(3);
        let mut field = Numbers::zeros(12 * places);
        for c in 0..12 {
            for (x, y) in (0..nx).flat_map(|x| (0..ny).map(move |y| (x, y))) {
                field[c * places + fold.place(x, y)] = random.vector().x as f32;
            }
        }
        let [mut moments, mut said] = [12, 6].map(|planes| Numbers::zeros(planes * places));
        level.run(Both {
            folded: &mut Folded::new(fold, w),
            group: fold.group(),
            places,
            field: &field,
            moments: &mut moments,
            said: &mut said,
        });
        let bound = 2e-7 * ((2 * w + 1) * (2 * w + 1) * (w + 1)) as f64;
        for (x, y) in (0..nx).flat_map(|x| (0..ny).map(move |y| (x, y))) {
            let at = |c: usize| c * places + fold.place(x, y);
            let window =
                |middle: usize, count: usize| middle.saturating_sub(w)..(middle + w + 1).min(count);
            let mut expected = [0.0; 18];
            for (i, j) in window(x, nx).flat_map(|i| window(y, ny).map(move |j| (i, j))) {
                let (dx, dy) = (i as f64 - x as f64, j as f64 - y as f64);
                let v = |c: usize| f64::from(field[c * places + fold.place(i, j)]);
                for c in 0..3 {
                    expected[c] += v(c);
                    expected[3 + 3 * c] += dx * v(c);
                    expected[4 + 3 * c] += dy * v(c);
                    expected[5 + 3 * c] += v(3 + c);
                    expected[12 + 2 * c] += v(c) - dx * v(3 + 3 * c) - dy * v(4 + 3 * c);
                    expected[13 + 2 * c] += v(5 + 3 * c);
                }
            }
            for (c, expected) in expected.iter().enumerate() {
                let found = if c < 12 {
                    moments[at(c)]
                } else {
                    said[at(c - 12)]
                };
                let off = (f64::from(found) - expected).abs();
                assert!(
                    off < bound,
                    "{nx} x {ny}, w={w}, {level:?}, {c}: off by {off:e}"
                );
            }
        }
    }
}
