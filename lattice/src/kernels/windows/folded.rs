//! Window sums along x and y of folded planes (see [`crate::kernels::memory::fold`]), at a cost that does not depend on the length of the window: passes over
//! all rows and columns of tiles (see [`crate::kernels::windows::line`]).
//!
//! For sums over particles windows along x come first, for sums of contributions of regions they come last. Between the two a few
//! columns of tiles can be summed, matched and summed again while their numbers are in the nearest cache.

use std::ops::Range;

use pulp::Simd;

use crate::kernels::memory::channels::ALONG_Z;
use crate::kernels::memory::fold::Fold;
use crate::kernels::memory::tiles::{Order, Planes, REGION_TRIPLES, Tiles, tile_size};
use crate::kernels::vector::pack::Numbers;
use crate::kernels::windows::line::Lines;
use crate::kernels::windows::terms::{SumAndRamp, SumLessRamp, SumOnly};

/// Triples between the passes along x and y.
const INTERMEDIATE_TRIPLES: usize = 3;

/// Passes along x and y, and the buffer between them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Folded {
    fold: Fold,
    along_x: Lines,
    along_y: Lines,
    intermediate: Numbers,
}

impl Folded {
    pub fn new(fold: Fold, half_width: usize) -> Self {
        Self {
            along_x: Lines::new(fold, 0, half_width),
            along_y: Lines::new(fold, 1, half_width),
            intermediate: Numbers::zeros(tile_size(REGION_TRIPLES, fold.places())),
            fold,
        }
    }

    pub fn fold(&self) -> Fold {
        self.fold
    }

    /// Tiles of all columns.
    fn tiles(&self) -> usize {
        self.fold.sites[0] * self.fold.sites[1]
    }

    /// `to = Σ Σ from`, `K` triples of tiles to planes that are `step` apart.
    #[inline(always)]
    pub fn sum_to_planes<S: Simd, const K: usize>(
        &mut self,
        simd: S,
        from: &[f32],
        (to, step): (&mut [f32], usize),
    ) {
        let (columns, tiles) = (self.fold.sites[0], self.tiles());
        let source = Tiles::<_, K>::new::<S>(from, tiles);
        let mut out = Tiles::<_, K>::new_mut::<S>(&mut self.intermediate, tiles);
        self.along_x
            .sum::<S, SumOnly, K>(simd, columns, &source, &mut out);
        let source = Tiles::<_, K>::new::<S>(&self.intermediate, tiles);
        let mut out = Planes::<_, K>::new_mut::<S>(to, step, tiles, Order::Plain);
        self.along_y
            .sum::<S, SumOnly, K>(simd, columns, &source, &mut out);
    }

    /// `to = Σ Σ from`, `K` triples of planes that are `step` apart to tiles.
    #[inline(always)]
    pub fn sum_from_planes<S: Simd, const K: usize>(
        &mut self,
        simd: S,
        (from, step): (&[f32], usize),
        to: &mut [f32],
    ) {
        let (columns, tiles) = (self.fold.sites[0], self.tiles());
        let source = Planes::<_, K>::new::<S>(from, step, tiles, Order::Plain);
        let mut out = Tiles::<_, K>::new_mut::<S>(&mut self.intermediate, tiles);
        self.along_y
            .sum::<S, SumOnly, K>(simd, columns, &source, &mut out);
        let source = Tiles::<_, K>::new::<S>(&self.intermediate, tiles);
        let mut out = Tiles::<_, K>::new_mut::<S>(to, tiles);
        self.along_x
            .sum::<S, SumOnly, K>(simd, columns, &source, &mut out);
    }

    /// Sums along x of a triple of plain sums and of one of ramps along z in tiles, and the ramps along x of the former, for
    /// [`Self::moments_along_y`].
    #[inline(always)]
    pub fn moments_along_x<S: Simd>(&mut self, simd: S, from: &[f32]) {
        let (columns, tiles) = (self.fold.sites[0], self.tiles());
        let source = Tiles::<_, ALONG_Z>::new::<S>(from, tiles);
        let mut out = Tiles::<_, INTERMEDIATE_TRIPLES>::new_mut::<S>(&mut self.intermediate, tiles);
        self.along_x
            .sum::<S, SumAndRamp, INTERMEDIATE_TRIPLES>(simd, columns, &source, &mut out);
    }

    /// Moments of the regions of some columns of tiles: three plain sums, then their ramps along y, x and z.
    #[inline(always)]
    pub fn moments_along_y<S: Simd>(
        &mut self,
        simd: S,
        columns: &Range<usize>,
        moments: &mut [f32],
    ) {
        let tiles = columns.len() * self.fold.sites[1];
        let at = tile_size(INTERMEDIATE_TRIPLES, columns.start * self.fold.column());
        let source = Tiles::<_, INTERMEDIATE_TRIPLES>::new::<S>(&self.intermediate[at..], tiles);
        let mut out = Tiles::<_, REGION_TRIPLES>::new_mut::<S>(moments, tiles);
        self.along_y
            .sum::<S, SumAndRamp, REGION_TRIPLES>(simd, columns.len(), &source, &mut out);
    }

    /// Sums along y of the transforms of some columns of tiles, τ and the columns of R for y, x and z: τ less the ramps of the first
    /// column, and the other columns; for [`Self::transforms_along_x`].
    #[inline(always)]
    pub fn transforms_along_y<S: Simd>(
        &mut self,
        simd: S,
        columns: &Range<usize>,
        transforms: &[f32],
    ) {
        let tiles = columns.len() * self.fold.sites[1];
        let at = tile_size(INTERMEDIATE_TRIPLES, columns.start * self.fold.column());
        let source = Tiles::<_, REGION_TRIPLES>::new::<S>(transforms, tiles);
        let mut out =
            Tiles::<_, INTERMEDIATE_TRIPLES>::new_mut::<S>(&mut self.intermediate[at..], tiles);
        self.along_y
            .sum::<S, SumLessRamp, REGION_TRIPLES>(simd, columns.len(), &source, &mut out);
    }

    /// The same along x, of all columns: tiles of the triple that windows along z sum and of the triple whose ramp they sum.
    #[inline(always)]
    pub fn transforms_along_x<S: Simd>(&mut self, simd: S, to: &mut [f32]) {
        let (columns, tiles) = (self.fold.sites[0], self.tiles());
        let source = Tiles::<_, INTERMEDIATE_TRIPLES>::new::<S>(&self.intermediate, tiles);
        let mut out = Tiles::<_, ALONG_Z>::new_mut::<S>(to, tiles);
        self.along_x
            .sum::<S, SumLessRamp, INTERMEDIATE_TRIPLES>(simd, columns, &source, &mut out);
    }
}

#[cfg(test)]
mod tests {
    use pulp::WithSimd;

    use super::*;
    use crate::kernels::Level;
    use crate::kernels::memory::tiles::Places;
    use crate::kernels::vector::pack::LINE;
    use crate::testing::bodies::Random;

    /// Moments of three numbers a site, and the contributions of three with nine more.
    struct Both<'a> {
        folded: &'a mut Folded,
        group: usize,
        field: &'a [f32],
        /// the first six numbers of it in tiles
        tiles: &'a [f32],
        moments: &'a mut [f32],
        contributions: &'a mut [f32],
    }

    impl WithSimd for Both<'_> {
        type Output = ();

        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) {
            let folded = self.folded;
            let fold = folded.fold();
            let groups = (0..fold.sites[0]).step_by(self.group).map(|first| {
                let columns = first..(first + self.group).min(fold.sites[0]);
                let at = tile_size(REGION_TRIPLES, first * fold.column());
                (columns, at)
            });
            folded.moments_along_x(simd, self.tiles);
            for (columns, at) in groups.clone() {
                folded.moments_along_y(simd, &columns, &mut self.moments[at..]);
            }
            for (columns, at) in groups {
                folded.transforms_along_y(simd, &columns, &self.field[at..]);
            }
            folded.transforms_along_x(simd, self.contributions);
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
        for fold in Fold::all(nx, ny, level.lanes()) {
            compare_fold(nx, ny, w, level, fold);
        }
    }

    fn compare_fold(nx: usize, ny: usize, w: usize, level: Level, fold: Fold) {
        let places = fold.places().next_multiple_of(LINE);
        let mut random = Random(3);
        let lanes = level.lanes();
        let triples = [2, 1, 3];
        let in_regions = Places::Tiles { lanes, triples };
        let of_region = |c: usize, place: usize| in_regions.index(c, place);
        let mut field = Numbers::zeros(12 * places);
        for c in 0..12 {
            for (x, y) in (0..nx).flat_map(|x| (0..ny).map(move |y| (x, y))) {
                field[of_region(c, fold.place(x, y))] = random.vector().x as f32;
            }
        }
        let in_tiles = |c: usize, place: usize| (place / lanes * 6 + c) * lanes + place % lanes;
        let [mut moments, mut contributions, mut tiles] =
            [12, 6, 6].map(|planes| Numbers::zeros(planes * places));
        for (c, place) in (0..6).flat_map(|c| (0..places).map(move |place| (c, place))) {
            tiles[in_tiles(c, place)] = field[of_region(c, place)];
        }
        level.run(Both {
            folded: &mut Folded::new(fold, w),
            group: fold.group(),
            field: &field,
            tiles: &tiles,
            moments: &mut moments,
            contributions: &mut contributions,
        });
        let bound = 2e-7 * ((2 * w + 1) * (2 * w + 1) * (w + 1)) as f64;
        for (x, y) in (0..nx).flat_map(|x| (0..ny).map(move |y| (x, y))) {
            let place = fold.place(x, y);
            let window =
                |middle: usize, count: usize| middle.saturating_sub(w)..(middle + w + 1).min(count);
            let mut expected = [0.0; 18];
            for (i, j) in window(x, nx).flat_map(|i| window(y, ny).map(move |j| (i, j))) {
                let (dx, dy) = (i as f64 - x as f64, j as f64 - y as f64);
                let v = |c: usize| f64::from(field[of_region(c, fold.place(i, j))]);
                for c in 0..3 {
                    expected[c] += v(c);
                    expected[3 + 3 * c] += dx * v(c);
                    expected[4 + 3 * c] += dy * v(c);
                    expected[5 + 3 * c] += v(3 + c);
                    expected[12 + c] += v(c) - dx * v(3 + 3 * c) - dy * v(4 + 3 * c);
                    expected[15 + c] += v(5 + 3 * c);
                }
            }
            for (c, expected) in expected.iter().enumerate() {
                let found = if c < 12 {
                    moments[of_region(c, place)]
                } else {
                    contributions[in_tiles(c - 12, place)]
                };
                let off = (f64::from(found) - expected).abs();
                assert!(
                    off < bound,
                    "{nx} x {ny}, w={w}, {level:?}, {fold:?}, {c}: off by {off:e}"
                );
            }
        }
    }
}
