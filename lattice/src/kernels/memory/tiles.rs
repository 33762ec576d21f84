//! Inputs and outputs of window sums along lines, three numbers at a time: tiles with all numbers of their sites, or planes.

#![expect(
    clippy::needless_range_loop,
    reason = "the same index into several arrays of fixed size"
)]

use std::ops::Deref;

use pulp::Simd;

use crate::kernels::vector::pack::{Pack, packs, packs_mut};

/// Numbers of a triple, x, y and z of a vector.
pub(crate) const COMPONENTS: usize = 3;

/// Most triples of a region: three numbers and three rows.
pub(crate) const REGION_TRIPLES: usize = 4;

/// The same as single numbers.
const REGION_NUMBERS: usize = COMPONENTS * REGION_TRIPLES;

/// Three numbers of the sites of a tile.
pub(crate) type Triple<S> = [Pack<S>; COMPONENTS];

/// Triples of tiles that can be read.
pub(crate) trait Read<S: Simd> {
    /// Triple `k` of a tile.
    fn triple(&self, simd: S, tile: usize, k: usize) -> Triple<S>;
}

/// Triples of tiles that can be written.
pub(crate) trait Write<S: Simd> {
    /// Writes triple `k` of a tile.
    fn write(&mut self, tile: usize, k: usize, values: &Triple<S>);
}

/// Triples read in one place and written in another.
pub(crate) struct FromTo<R, W>(pub R, pub W);

impl<S: Simd, R: Read<S>, W> Read<S> for FromTo<R, W> {
    #[inline(always)]
    fn triple(&self, simd: S, tile: usize, k: usize) -> Triple<S> {
        self.0.triple(simd, tile, k)
    }
}

impl<S: Simd, R, W: Write<S>> Write<S> for FromTo<R, W> {
    #[inline(always)]
    fn write(&mut self, tile: usize, k: usize, values: &Triple<S>) {
        self.1.write(tile, k, values);
    }
}

/// `K` triples of each tile, one tile after the other, addressed from one pointer.
#[derive(Clone, Copy)]
pub(crate) struct Tiles<V, const K: usize> {
    vectors: V,
}

/// Numbers of a tile of `triples` triples and `lanes` sites.
pub(crate) const fn tile_size(triples: usize, lanes: usize) -> usize {
    COMPONENTS * triples * lanes
}

impl<'a, V, const K: usize> Tiles<&'a [V], K> {
    /// `count` tiles, the first of `numbers`.
    #[inline(always)]
    pub fn new<S: Simd<f32s = V>>(numbers: &'a [f32], count: usize) -> Self {
        Self {
            vectors: packs::<S>(numbers, 0, count * tile_size(K, S::F32_LANES)),
        }
    }
}

impl<'a, V, const K: usize> Tiles<&'a mut [V], K> {
    /// `count` tiles, the first of `numbers`.
    #[inline(always)]
    pub fn new_mut<S: Simd<f32s = V>>(numbers: &'a mut [f32], count: usize) -> Self {
        Self {
            vectors: packs_mut::<S>(numbers, 0, count * tile_size(K, S::F32_LANES)),
        }
    }
}

impl<S: Simd, V: Deref<Target = [S::f32s]>, const K: usize> Read<S> for Tiles<V, K> {
    #[inline(always)]
    fn triple(&self, simd: S, tile: usize, k: usize) -> Triple<S> {
        let from = &self.vectors[COMPONENTS * K * tile..][..COMPONENTS * K];
        let from = &from[COMPONENTS * k..][..COMPONENTS];
        let mut out = [Pack::splat(simd, 0.0); COMPONENTS];
        for c in 0..COMPONENTS {
            out[c].value = from[c];
        }
        out
    }
}

impl<S: Simd, const K: usize> Write<S> for Tiles<&mut [S::f32s], K> {
    #[inline(always)]
    fn write(&mut self, tile: usize, k: usize, values: &Triple<S>) {
        let to = &mut self.vectors[COMPONENTS * K * tile..][..COMPONENTS * K];
        let to = &mut to[COMPONENTS * k..][..COMPONENTS];
        for c in 0..COMPONENTS {
            to[c] = values[c].value;
        }
    }
}

/// `K` triples of planes.
pub(crate) struct Planes<P, const K: usize> {
    planes: [[P; COMPONENTS]; K],
}

/// The triple of a region's numbers for each axis: the ramps along it, or its column of R. The first triple belongs to no axis.
pub(crate) type TripleOf = [usize; COMPONENTS];

/// Triples in the order of the axes.
pub(crate) const IN_ORDER: TripleOf = [1, 2, 3];

/// A map from axes to triples.
pub(crate) trait Triples {
    fn triple_of(&self, axis: usize) -> usize;
}

impl Triples for TripleOf {
    #[inline(always)]
    fn triple_of(&self, axis: usize) -> usize {
        self[axis]
    }
}

/// [`IN_ORDER`] at compile time, so that addresses of planes stay in registers.
pub(crate) struct InOrder;

impl Triples for InOrder {
    #[inline(always)]
    fn triple_of(&self, axis: usize) -> usize {
        IN_ORDER[axis]
    }
}

/// Places of the single numbers of regions: three numbers and a row of three for each of them.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Places {
    /// In planes that are `step` apart, the first of which begins at `first`.
    Planes { step: usize, first: usize },
    /// In tiles of vectors of `lanes` numbers, with these triples for the axes.
    Tiles { lanes: usize, triples: TripleOf },
}

impl Places {
    /// Index of number `c` of the region at place `at`.
    pub fn index(self, c: usize, at: usize) -> usize {
        match self {
            Self::Planes { step, first } => first + c * step + at,
            Self::Tiles { lanes, triples } => {
                let (triple, component) = match c.checked_sub(COMPONENTS) {
                    None => (0, c),
                    Some(entry) => (triples[entry % COMPONENTS], entry / COMPONENTS),
                };
                let vector = at / lanes * REGION_NUMBERS + COMPONENTS * triple + component;
                vector * lanes + at % lanes
            }
        }
    }
}

/// The order of triples in planes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// One triple after the other.
    Plain,
    /// That of regions: three numbers, then a row of three for each of them, whose columns are triples ([`IN_ORDER`]).
    Regions,
}

impl Order {
    #[inline(always)]
    const fn plane(self, k: usize, c: usize) -> usize {
        match (self, k) {
            (Self::Plain, _) => COMPONENTS * k + c,
            (Self::Regions, 0) => c,
            (Self::Regions, _) => COMPONENTS * (1 + c) + k - 1,
        }
    }
}

impl<'a, V, const K: usize> Planes<&'a [V], K> {
    /// Planes of `count` tiles, `step` numbers apart.
    #[inline(always)]
    pub fn new<S: Simd<f32s = V>>(
        numbers: &'a [f32],
        step: usize,
        count: usize,
        order: Order,
    ) -> Self {
        let mut planes: [[&[V]; COMPONENTS]; K] = [[&[]; COMPONENTS]; K];
        for k in 0..K {
            for c in 0..COMPONENTS {
                let at = order.plane(k, c) * step;
                planes[k][c] = &packs::<S>(numbers, at, count * S::F32_LANES)[..count];
            }
        }
        Self { planes }
    }
}

impl<'a, V, const K: usize> Planes<&'a mut [V], K> {
    /// Planes of `count` tiles, `step` numbers apart.
    #[inline(always)]
    pub fn new_mut<S: Simd<f32s = V>>(
        numbers: &'a mut [f32],
        step: usize,
        count: usize,
        order: Order,
    ) -> Self {
        let mut all: [&mut [V]; REGION_NUMBERS] = Default::default();
        for (plane, numbers) in all.iter_mut().zip(numbers.chunks_mut(step)) {
            *plane = &mut packs_mut::<S>(numbers, 0, count * S::F32_LANES)[..count];
        }
        let mut planes: [[&mut [V]; COMPONENTS]; K] = std::array::from_fn(|_| Default::default());
        for k in 0..K {
            for c in 0..COMPONENTS {
                planes[k][c] = std::mem::take(&mut all[order.plane(k, c)]);
            }
        }
        Self { planes }
    }
}

impl<S: Simd, const K: usize> Read<S> for Planes<&[S::f32s], K> {
    #[inline(always)]
    fn triple(&self, simd: S, tile: usize, k: usize) -> Triple<S> {
        let mut out = [Pack::splat(simd, 0.0); COMPONENTS];
        for c in 0..COMPONENTS {
            out[c].value = self.planes[k][c][tile];
        }
        out
    }
}

impl<S: Simd, const K: usize> Write<S> for Planes<&mut [S::f32s], K> {
    #[inline(always)]
    fn write(&mut self, tile: usize, k: usize, values: &Triple<S>) {
        for c in 0..COMPONENTS {
            self.planes[k][c][tile] = values[c].value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_numbers_are_where_tiles_have_them() {
        let lanes = 4;
        for (k, c) in (0..4).flat_map(|k| (0..COMPONENTS).map(move |c| (k, c))) {
            let plane = Order::Regions.plane(k, c);
            let triples = [3, 1, 2];
            let triple = k.checked_sub(1).map_or(0, |axis| triples[axis]);
            for at in 0..12 {
                let vector = at / lanes * tile_size(4, 1) + COMPONENTS * triple + c;
                let found = Places::Tiles { lanes, triples }.index(plane, at);
                assert_eq!(found, vector * lanes + at % lanes, "{k} {c} {at}");
            }
        }
    }
}
