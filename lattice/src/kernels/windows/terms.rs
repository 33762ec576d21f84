//! The terms of window sums along a line: triples of numbers, the first of them with its ramps or less the ramps of the second.

#![expect(
    clippy::needless_range_loop,
    reason = "the same index into several arrays of fixed size"
)]

use pulp::Simd;

use crate::kernels::memory::tiles::{COMPONENTS, Read, Triple, Write};
use crate::kernels::vector::pack::Pack;
use crate::kernels::windows::shifted::LaneShift;

/// A tile, possibly shifted to another patch.
#[derive(Clone, Copy)]
pub(crate) struct Site<'a, S: Simd, R> {
    pub simd: S,
    pub from: &'a R,
    pub tile: usize,
    /// `None` for a tile of the same patch
    pub moved: Option<&'a LaneShift<S>>,
}

impl<S: Simd, R: Read<S>> Site<'_, S, R> {
    #[inline(always)]
    fn triple(&self, k: usize) -> Triple<S> {
        let triple = self.from.triple(self.simd, self.tile, k);
        match self.moved {
            Some(moved) => moved.get(triple),
            None => triple,
        }
    }
}

/// Sums over a window.
pub(crate) type Sums<S, const N: usize> = [Triple<S>; N];

/// The terms that are summed along a line, `N` triples of sums.
pub(crate) trait Terms<S: Simd, const N: usize> {
    /// Adds a site at `distance` from the middle.
    fn add<R: Read<S>>(sums: &mut Sums<S, N>, site: Site<'_, S, R>, distance: Pack<S>);
    /// Adds a site and subtracts another, each with its distance from the middle.
    fn slide<R: Read<S>>(
        sums: &mut Sums<S, N>,
        enters: (Site<'_, S, R>, Pack<S>),
        leaves: (Site<'_, S, R>, Pack<S>),
    );
    /// Increases the distance of all sites from the origin of the ramps by `shift`.
    fn shift_origin(sums: &mut Sums<S, N>, shift: Pack<S>);

    /// Writes the sums about a tile.
    #[inline(always)]
    fn write(sums: &Sums<S, N>, to: &mut impl Write<S>, tile: usize) {
        for k in 0..N {
            to.write(tile, k, &sums[k]);
        }
    }
}

#[inline(always)]
fn add<S: Simd>(sums: &mut Triple<S>, v: Triple<S>) {
    for c in 0..COMPONENTS {
        sums[c] = sums[c] + v[c];
    }
}

#[inline(always)]
fn slide<S: Simd>(sums: &mut Triple<S>, v: Triple<S>, u: Triple<S>) {
    for c in 0..COMPONENTS {
        sums[c] = sums[c] + (v[c] - u[c]);
    }
}

/// As many triples as are read.
pub(crate) struct SumOnly;

impl<S: Simd, const N: usize> Terms<S, N> for SumOnly {
    #[inline(always)]
    fn add<R: Read<S>>(sums: &mut Sums<S, N>, site: Site<'_, S, R>, _: Pack<S>) {
        for k in 0..N {
            add(&mut sums[k], site.triple(k));
        }
    }

    #[inline(always)]
    fn slide<R: Read<S>>(
        sums: &mut Sums<S, N>,
        (enters, _): (Site<'_, S, R>, Pack<S>),
        (leaves, _): (Site<'_, S, R>, Pack<S>),
    ) {
        for k in 0..N {
            slide(&mut sums[k], enters.triple(k), leaves.triple(k));
        }
    }

    #[inline(always)]
    fn shift_origin(_: &mut Sums<S, N>, _: Pack<S>) {}
}

/// The first triple, its ramps, and the other triples: `N` triples of the `N − 1` that are read.
pub(crate) struct SumAndRamp;

impl<S: Simd, const N: usize> Terms<S, N> for SumAndRamp {
    #[inline(always)]
    fn add<R: Read<S>>(sums: &mut Sums<S, N>, site: Site<'_, S, R>, distance: Pack<S>) {
        let v = site.triple(0);
        for c in 0..COMPONENTS {
            sums[0][c] = sums[0][c] + v[c];
            sums[1][c] = v[c].times_plus(distance, sums[1][c]);
        }
        for k in 2..N {
            add(&mut sums[k], site.triple(k - 1));
        }
    }

    #[inline(always)]
    fn slide<R: Read<S>>(
        sums: &mut Sums<S, N>,
        (enters, near): (Site<'_, S, R>, Pack<S>),
        (leaves, far): (Site<'_, S, R>, Pack<S>),
    ) {
        let (v, u) = (enters.triple(0), leaves.triple(0));
        for c in 0..COMPONENTS {
            sums[0][c] = sums[0][c] + (v[c] - u[c]);
            sums[1][c] = sums[1][c] + u[c].times_from(far, v[c] * near);
        }
        for k in 2..N {
            slide(&mut sums[k], enters.triple(k - 1), leaves.triple(k - 1));
        }
    }

    #[inline(always)]
    fn shift_origin(sums: &mut Sums<S, N>, shift: Pack<S>) {
        for c in 0..COMPONENTS {
            sums[1][c] = sums[0][c].times_plus(shift, sums[1][c]);
        }
    }
}

/// The first triple less the ramps of the second, and the triples after these: `N − 1` triples of the `N` that are read.
pub(crate) struct SumLessRamp;

impl<S: Simd, const N: usize> Terms<S, N> for SumLessRamp {
    #[inline(always)]
    fn add<R: Read<S>>(sums: &mut Sums<S, N>, site: Site<'_, S, R>, distance: Pack<S>) {
        let (a, v) = (site.triple(0), site.triple(1));
        for c in 0..COMPONENTS {
            sums[1][c] = sums[1][c] + v[c];
            sums[0][c] = v[c].times_from(distance, sums[0][c] + a[c]);
        }
        for k in 2..N {
            add(&mut sums[k], site.triple(k));
        }
    }

    #[inline(always)]
    fn slide<R: Read<S>>(
        sums: &mut Sums<S, N>,
        (enters, near): (Site<'_, S, R>, Pack<S>),
        (leaves, far): (Site<'_, S, R>, Pack<S>),
    ) {
        let (a, b) = (enters.triple(0), leaves.triple(0));
        let (v, u) = (enters.triple(1), leaves.triple(1));
        for c in 0..COMPONENTS {
            sums[1][c] = sums[1][c] + (v[c] - u[c]);
            let change = u[c].times_plus(far, v[c].times_from(near, a[c] - b[c]));
            sums[0][c] = sums[0][c] + change;
        }
        for k in 2..N {
            slide(&mut sums[k], enters.triple(k), leaves.triple(k));
        }
    }

    #[inline(always)]
    fn shift_origin(sums: &mut Sums<S, N>, shift: Pack<S>) {
        for c in 0..COMPONENTS {
            sums[0][c] = sums[1][c].times_from(shift, sums[0][c]);
        }
    }

    #[inline(always)]
    fn write(sums: &Sums<S, N>, to: &mut impl Write<S>, tile: usize) {
        to.write(tile, 0, &sums[0]);
        for k in 2..N {
            to.write(tile, k - 1, &sums[k]);
        }
    }
}
