//! What window sums along a line add up: three planes, three planes with their ramps, or three less the ramps of three others.

#![expect(
    clippy::needless_range_loop,
    reason = "the same index into several arrays of fixed size"
)]

use pulp::Simd;

use super::line::{Line, TOGETHER};
use super::pack::Pack;
use super::shifted::Moved;

/// The vectors of three planes at a site.
pub(crate) type Triple<S> = [Pack<S>; TOGETHER];

/// Three planes at a line.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a, S: Simd> {
    pub simd: S,
    pub planes: [&'a [S::f32s]; TOGETHER],
    pub line: Line,
}

/// Sums over a window: of three numbers of its sites, and of three that depend on how far a site is from some middle.
pub(crate) type Sums<S> = [Triple<S>; 2];

/// What is read at the sites of a line.
pub(crate) trait Sites<S: Simd> {
    /// Numbers of a site.
    type Site: Copy;

    fn simd(&self) -> S;
    fn at(&self, site: usize) -> Self::Site;
    /// Numbers as another patch has them.
    fn moved(moved: &Moved<S>, site: Self::Site) -> Self::Site;
}

impl<S: Simd> Sites<S> for Source<'_, S> {
    type Site = Triple<S>;

    #[inline(always)]
    fn simd(&self) -> S {
        self.simd
    }

    #[inline(always)]
    fn at(&self, site: usize) -> Triple<S> {
        let at = self.line.at(site);
        [
            Pack::new(self.simd, self.planes[0][at]),
            Pack::new(self.simd, self.planes[1][at]),
            Pack::new(self.simd, self.planes[2][at]),
        ]
    }

    #[inline(always)]
    fn moved(moved: &Moved<S>, site: Triple<S>) -> Triple<S> {
        moved.get(site)
    }
}

impl<S: Simd> Sites<S> for [Source<'_, S>; 2] {
    type Site = [Triple<S>; 2];

    #[inline(always)]
    fn simd(&self) -> S {
        self[0].simd
    }

    #[inline(always)]
    fn at(&self, site: usize) -> [Triple<S>; 2] {
        [self[0].at(site), self[1].at(site)]
    }

    #[inline(always)]
    fn moved(moved: &Moved<S>, [a, v]: [Triple<S>; 2]) -> [Triple<S>; 2] {
        [moved.get(a), moved.get(v)]
    }
}

/// What is summed along a line, and where it goes.
pub(crate) trait Terms<S: Simd> {
    type Sites: Sites<S>;

    fn sites(&self) -> &Self::Sites;
    /// Adds a site at `distance` from the middle.
    fn add(sums: &mut Sums<S>, site: Of<S, Self>, distance: Pack<S>);
    /// Adds a site and takes one away.
    fn slide(sums: &mut Sums<S>, enters: (Of<S, Self>, Pack<S>), leaves: (Of<S, Self>, Pack<S>));
    /// What is `further` from the middle than before.
    fn further(sums: &mut Sums<S>, further: Pack<S>);
    /// Writes the sums about a site.
    fn put(&mut self, site: usize, sums: &Sums<S>);
}

/// Numbers of a site.
type Of<S, T> = <<T as Terms<S>>::Sites as Sites<S>>::Site;

/// Three planes.
pub(crate) struct Plain<'a, 'b, S: Simd> {
    pub source: Source<'a, S>,
    pub to: &'a mut [&'b mut [S::f32s]; TOGETHER],
}

impl<'a, S: Simd> Terms<S> for Plain<'a, '_, S> {
    type Sites = Source<'a, S>;

    #[inline(always)]
    fn sites(&self) -> &Source<'a, S> {
        &self.source
    }

    #[inline(always)]
    fn add([sums, _]: &mut Sums<S>, v: Triple<S>, _: Pack<S>) {
        for c in 0..TOGETHER {
            sums[c] = sums[c] + v[c];
        }
    }

    #[inline(always)]
    fn slide([sums, _]: &mut Sums<S>, (v, _): (Triple<S>, Pack<S>), (u, _): (Triple<S>, Pack<S>)) {
        for c in 0..TOGETHER {
            sums[c] = sums[c] + (v[c] - u[c]);
        }
    }

    #[inline(always)]
    fn further(_: &mut Sums<S>, _: Pack<S>) {}

    #[inline(always)]
    fn put(&mut self, site: usize, [sums, _]: &Sums<S>) {
        let at = self.source.line.at(site);
        for c in 0..TOGETHER {
            self.to[c][at] = sums[c].value;
        }
    }
}

/// Three planes, and the same weighted by the distance.
pub(crate) struct Ramped<'a, 'b, S: Simd> {
    pub source: Source<'a, S>,
    pub to: &'a mut [[&'b mut [S::f32s]; TOGETHER]; 2],
}

impl<'a, S: Simd> Terms<S> for Ramped<'a, '_, S> {
    type Sites = Source<'a, S>;

    #[inline(always)]
    fn sites(&self) -> &Source<'a, S> {
        &self.source
    }

    #[inline(always)]
    fn add([sums, ramps]: &mut Sums<S>, v: Triple<S>, distance: Pack<S>) {
        for c in 0..TOGETHER {
            sums[c] = sums[c] + v[c];
            ramps[c] = v[c].times_plus(distance, ramps[c]);
        }
    }

    #[inline(always)]
    fn slide(
        [sums, ramps]: &mut Sums<S>,
        (v, near): (Triple<S>, Pack<S>),
        (u, far): (Triple<S>, Pack<S>),
    ) {
        for c in 0..TOGETHER {
            sums[c] = sums[c] + (v[c] - u[c]);
            ramps[c] = ramps[c] + u[c].times_from(far, v[c] * near);
        }
    }

    #[inline(always)]
    fn further([sums, ramps]: &mut Sums<S>, further: Pack<S>) {
        for c in 0..TOGETHER {
            ramps[c] = sums[c].times_plus(further, ramps[c]);
        }
    }

    #[inline(always)]
    fn put(&mut self, site: usize, sums: &Sums<S>) {
        let at = self.source.line.at(site);
        for (to, sums) in self.to.iter_mut().zip(sums) {
            for c in 0..TOGETHER {
                to[c][at] = sums[c].value;
            }
        }
    }
}

/// Three planes less three others weighted by the distance.
pub(crate) struct Less<'a, 'b, S: Simd> {
    /// what is summed, and what is weighted
    pub sources: [Source<'a, S>; 2],
    pub to: &'a mut [&'b mut [S::f32s]; TOGETHER],
}

impl<'a, S: Simd> Terms<S> for Less<'a, '_, S> {
    type Sites = [Source<'a, S>; 2];

    #[inline(always)]
    fn sites(&self) -> &[Source<'a, S>; 2] {
        &self.sources
    }

    #[inline(always)]
    fn add([sums, less]: &mut Sums<S>, [a, v]: [Triple<S>; 2], distance: Pack<S>) {
        for c in 0..TOGETHER {
            sums[c] = sums[c] + v[c];
            less[c] = v[c].times_from(distance, less[c] + a[c]);
        }
    }

    #[inline(always)]
    fn slide(
        [sums, less]: &mut Sums<S>,
        ([a, v], near): ([Triple<S>; 2], Pack<S>),
        ([b, u], far): ([Triple<S>; 2], Pack<S>),
    ) {
        for c in 0..TOGETHER {
            sums[c] = sums[c] + (v[c] - u[c]);
            let change = u[c].times_plus(far, v[c].times_from(near, a[c] - b[c]));
            less[c] = less[c] + change;
        }
    }

    #[inline(always)]
    fn further([sums, less]: &mut Sums<S>, further: Pack<S>) {
        for c in 0..TOGETHER {
            less[c] = sums[c].times_from(further, less[c]);
        }
    }

    #[inline(always)]
    fn put(&mut self, site: usize, [_, less]: &Sums<S>) {
        let at = self.sources[0].line.at(site);
        for c in 0..TOGETHER {
            self.to[c][at] = less[c].value;
        }
    }
}
