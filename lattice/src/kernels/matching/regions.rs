//! Rotations and transforms of the regions of one slab from their moments.

#![expect(
    clippy::needless_range_loop,
    reason = "the same index into several arrays of fixed size"
)]

use pulp::Simd;

use crate::kernels::matching::polar::refine_rotations;
use crate::kernels::memory::layout::{Layout, Part};
use crate::kernels::memory::tiles::{
    FromTo, InOrder, Order, Planes, REGION_TRIPLES, Read, Tiles, TripleOf, Triples, Write,
};
use crate::kernels::vector::pack::{Pack, packs, packs_mut};

/// Prevents a division by zero in a region that is collapsed to a point; entries of real regions are about 1.
const TINY: f32 = 1e-30;

/// Centres of regions of a slab, whose moments are in planes.
#[inline(always)]
pub(crate) fn centers_of<S: Simd>(
    simd: S,
    part: Part,
    constants: &[f32],
    moments: &[f32],
    out: &mut [f32],
) {
    let count = part.count / S::F32_LANES;
    let moments = Planes::<_, REGION_TRIPLES>::new::<S>(moments, part.plane, count, Order::Regions);
    find_centers(simd, part, constants, &moments, out);
}

/// Centres of regions of a slab, whose moments are in tiles.
#[inline(always)]
pub(crate) fn centers_of_tiles<S: Simd>(
    simd: S,
    part: Part,
    constants: &[f32],
    moments: &[f32],
    out: &mut [f32],
) {
    let moments = Tiles::<_, REGION_TRIPLES>::new::<S>(moments, part.count / S::F32_LANES);
    find_centers(simd, part, constants, &moments, out);
}

#[inline(always)]
fn find_centers<S: Simd>(
    simd: S,
    part: Part,
    constants: &[f32],
    moments: &impl Read<S>,
    out: &mut [f32],
) {
    let inverse = packs::<S>(constants, part.plane + part.at, part.count);
    for c in 0..3 {
        let out = packs_mut::<S>(out, c * part.plane + part.at, part.count);
        for (j, out) in out.iter_mut().enumerate() {
            *out = (moments.triple(simd, j, 0)[c] * Pack::new(simd, inverse[j])).value;
        }
    }
}

/// Rotations of all regions of a slab, and the position τ that each gives its own particle: from moments in planes to padded planes of τ (3) and R (9,
/// row-major).
#[inline(always)]
pub(crate) fn match_regions<S: Simd>(
    simd: S,
    layout: &Layout,
    constants: &[f32],
    moments: &[f32],
    rotations: (&[f32], &mut [f32]),
    transforms: &mut [f32],
) {
    let (plane, count) = (layout.plane, layout.plane / S::F32_LANES);
    let moments = Planes::<_, REGION_TRIPLES>::new::<S>(moments, plane, count, Order::Regions);
    let (transforms, step) = (&mut transforms[layout.margin..], layout.padded());
    let transforms =
        Planes::<_, REGION_TRIPLES>::new_mut::<S>(transforms, step, count, Order::Regions);
    let part = Part::whole(layout);
    let regions = FromTo(moments, transforms);
    fit(simd, part, constants, rotations, (regions, InOrder));
}

/// The same for some of the regions, whose tiles of moments are overwritten by tiles of transforms: one array instead of two fits better into the nearest cache.
#[inline(always)]
pub(crate) fn match_tiles<S: Simd>(
    simd: S,
    part: Part,
    constants: &[f32],
    rotations: (&[f32], &mut [f32]),
    regions: &mut [f32],
    triples: TripleOf,
) {
    let regions = Tiles::<_, REGION_TRIPLES>::new_mut::<S>(regions, part.count / S::F32_LANES);
    fit(simd, part, constants, rotations, (regions, triples));
}

#[inline(always)]
fn fit<S: Simd, T: Read<S> + Write<S>, A: Triples>(
    simd: S,
    part: Part,
    constants: &[f32],
    (old, new): (&[f32], &mut [f32]),
    (regions, triples): (T, A),
) {
    let Part { plane, at, count } = part;
    let constant = |c: usize| packs::<S>(constants, c * plane + at, count);
    let (inverse_mass, center) = (constant(1), [constant(2), constant(3), constant(4)]);
    let mut q_old = [inverse_mass; 4];
    for (c, q) in q_old.iter_mut().enumerate() {
        *q = packs::<S>(old, c * plane + at, count);
    }
    let (new01, new23) = new.split_at_mut(2 * plane);
    let (new0, new1) = new01.split_at_mut(plane);
    let (new2, new3) = new23.split_at_mut(plane);
    let q_new = [
        packs_mut::<S>(new0, at, count),
        packs_mut::<S>(new1, at, count),
        packs_mut::<S>(new2, at, count),
        packs_mut::<S>(new3, at, count),
    ];
    let count = inverse_mass.len();
    let mut fit = Fit {
        simd,
        inverse_mass,
        center,
        old: q_old,
        new: q_new,
        regions,
        triples,
    };
    let mut j = 0;
    // two vectors at once hide the latency of a single one
    while j + 2 <= count {
        fit.run::<2>(j);
        j += 2;
    }
    while j < count {
        fit.run::<1>(j);
        j += 1;
    }
}

/// Inputs and outputs of [`fit`].
struct Fit<'a, 'b, S: Simd, T, A> {
    simd: S,
    inverse_mass: &'a [S::f32s],
    center: [&'a [S::f32s]; 3],
    old: [&'a [S::f32s]; 4],
    new: [&'b mut [S::f32s]; 4],
    /// moments are read, transforms are written
    regions: T,
    triples: A,
}

impl<S: Simd, T: Read<S> + Write<S>, A: Triples> Fit<'_, '_, S, T, A> {
    #[inline(always)]
    fn load<const N: usize>(&self, from: [&[S::f32s]; N], j: usize) -> [Pack<S>; N] {
        let mut out = [Pack::splat(self.simd, 0.0); N];
        for c in 0..N {
            out[c].value = from[c][j];
        }
        out
    }

    /// The vectors `j .. j + N`.
    #[inline(always)]
    fn run<const N: usize>(&mut self, j: usize) {
        let simd = self.simd;
        let zero = Pack::splat(simd, 0.0);
        let one = Pack::splat(simd, 1.0);
        let mut a = [[zero; 9]; N];
        let mut q = [[zero; 4]; N];
        for n in 0..N {
            let [inverse] = self.load([self.inverse_mass], j + n);
            let center = self.load(self.center, j + n);
            let sums = self.regions.triple(simd, j + n, 0);
            let occupied = simd.greater_than_f32s(inverse.value, zero.value);
            let mut size = Pack::splat(simd, TINY);
            for k in 0..3 {
                let ramps = self.regions.triple(simd, j + n, self.triples.triple_of(k));
                for i in 0..3 {
                    let entry = sums[i].times_from(center[k], ramps[i]);
                    // an empty site has the identity
                    let rest = if i == k { one } else { zero };
                    let entry =
                        Pack::new(simd, simd.select_f32s(occupied, entry.value, rest.value));
                    size = size + entry.abs();
                    a[n][3 * i + k] = entry;
                }
            }
            let scale = one.over(size);
            for entry in &mut a[n] {
                *entry = *entry * scale;
            }
            q[n] = self.load(self.old, j + n);
        }
        let r = refine_rotations(&a, &mut q);
        for n in 0..N {
            for c in 0..4 {
                self.new[c][j + n] = q[n][c].value;
            }
            let [inverse] = self.load([self.inverse_mass], j + n);
            let center = self.load(self.center, j + n);
            let occupied = simd.greater_than_f32s(inverse.value, zero.value);
            let r = &r[n];
            let mut tau = self.regions.triple(simd, j + n, 0);
            for i in 0..3 {
                let rotated = r[3 * i].times_plus(
                    center[0],
                    r[3 * i + 1].times_plus(center[1], r[3 * i + 2] * center[2]),
                );
                let value = tau[i].times_plus(inverse, zero - rotated).value;
                tau[i].value = simd.select_f32s(occupied, value, zero.value);
            }
            self.regions.write(j + n, 0, &tau);
            for k in 0..3 {
                let mut column = [r[k], r[3 + k], r[6 + k]];
                for i in 0..3 {
                    column[i].value = simd.select_f32s(occupied, column[i].value, zero.value);
                }
                self.regions
                    .write(j + n, self.triples.triple_of(k), &column);
            }
        }
    }
}
