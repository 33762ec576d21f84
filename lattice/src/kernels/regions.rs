//! The regions of one slab: from moments to rotations, and what goes to and comes from regions that are not boxes.

use pulp::Simd;

use super::layout::Layout;
use super::listed::Group;
use super::pack::{Pack, packs, packs_mut};
use super::polar::improve;

/// Keeps a region collapsed to a point from dividing by zero; entries of real regions are about 1.
const TINY: f32 = 1e-30;

/// Regions that are not boxes: their sums come from outside, and what they and their neighbours say goes outside.
#[derive(Clone, Copy)]
pub(crate) struct Irregular<'a> {
    /// number of targets and of sources before each slab, and their places in it
    pub target_starts: &'a [u32],
    pub target_places: &'a [u32],
    pub source_starts: &'a [u32],
    pub source_places: &'a [u32],
    /// sums of the targets' regions
    pub sums: &'a [Group],
}

/// Puts the moments of regions that are not boxes where those of their boxes are.
pub(crate) fn replace_moments(
    irregular: &Irregular<'_>,
    slab: usize,
    plane: usize,
    moments: &mut [f32],
) {
    let starts = &irregular.target_starts[slab..slab + 2];
    let range = starts[0] as usize..starts[1] as usize;
    let places = &irregular.target_places[range.clone()];
    for (group, at) in irregular.sums[range].iter().zip(places) {
        put_moments(group, *at as usize, plane, moments);
    }
}

/// Writes the moments of a region to place `at` of its slab.
#[inline(always)]
pub(crate) fn put_moments(group: &Group, at: usize, plane: usize, moments: &mut [f32]) {
    for c in 0..3 {
        moments[c * plane + at] = group[0][c];
        for axis in 0..3 {
            moments[(3 + 3 * c + axis) * plane + at] = group[1 + axis][c];
        }
    }
}

/// Keeps the transforms of particles in regions that are not boxes.
pub(crate) fn keep_transforms(
    irregular: &Irregular<'_>,
    slab: usize,
    layout: &Layout,
    transforms: &[f32],
    first: usize,
    values: &mut [Group],
) {
    let starts = &irregular.source_starts[slab..slab + 2];
    let range = starts[0] as usize..starts[1] as usize;
    let values = &mut values[range.start - first..range.end - first];
    for (out, at) in values.iter_mut().zip(&irregular.source_places[range]) {
        *out = transform_at(layout, transforms, *at as usize);
    }
}

/// τ and the columns of R at place `at` of a slab.
#[inline(always)]
pub(crate) fn transform_at(layout: &Layout, transforms: &[f32], at: usize) -> Group {
    let number = |c: usize| transforms[c * layout.padded() + layout.margin + at];
    let column = |k: usize| [number(3 + k), number(6 + k), number(9 + k), 0.0];
    [
        [number(0), number(1), number(2), 0.0],
        column(0),
        column(1),
        column(2),
    ]
}

/// Neighbouring regions of a slab, and where their numbers are.
#[derive(Clone, Copy)]
pub(crate) struct Part {
    /// places of a slab: from plane to plane of constants, centres and rotations
    pub plane: usize,
    /// place of the first region, and how many there are
    pub at: usize,
    pub count: usize,
    /// from plane to plane of moments and of transforms, which begin with the first region
    pub moments: usize,
    pub transforms: usize,
    /// zeros before a plane of transforms
    pub margin: usize,
}

impl Part {
    /// All regions of a slab.
    pub fn whole(layout: &Layout) -> Self {
        Self {
            plane: layout.plane,
            at: 0,
            count: layout.plane,
            moments: layout.plane,
            transforms: layout.padded(),
            margin: layout.margin,
        }
    }
}

/// Centres of regions of a slab.
#[inline(always)]
pub(crate) fn centers_of<S: Simd>(
    simd: S,
    part: Part,
    constants: &[f32],
    moments: &[f32],
    out: &mut [f32],
) {
    let inverse = packs::<S>(constants, part.plane + part.at, part.count);
    for c in 0..3 {
        let moments = packs::<S>(moments, c * part.moments, part.count);
        let out = packs_mut::<S>(out, c * part.plane + part.at, part.count);
        for (j, out) in out.iter_mut().enumerate() {
            *out = (Pack::new(simd, moments[j]) * Pack::new(simd, inverse[j])).value;
        }
    }
}

/// Rotations of regions of a slab, and where each sees its own particle: padded planes of τ (3) and R (9, row-major).
#[inline(always)]
pub(crate) fn match_regions<S: Simd>(
    simd: S,
    part: Part,
    constants: &[f32],
    moments: &[f32],
    old: &[f32],
    new: &mut [f32],
    transforms: &mut [f32],
) {
    let Part {
        plane, at, count, ..
    } = part;
    let constant = |c: usize| packs::<S>(constants, c * plane + at, count);
    let (inverse_mass, center) = (constant(1), [constant(2), constant(3), constant(4)]);
    let mut m = [inverse_mass; 12];
    for (c, m) in m.iter_mut().enumerate() {
        *m = packs::<S>(moments, c * part.moments, count);
    }
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
    let [q0, q1, q2, q3] = q_new;
    let count = inverse_mass.len();
    let mut planes = transforms.chunks_exact_mut(part.transforms);
    let out: [&mut [S::f32s]; 12] = [(); 12].map(|()| {
        let padded = planes.next().unwrap_or_default();
        packs_mut::<S>(padded, part.margin, part.count)
    });
    let zero = Pack::splat(simd, 0.0);
    let one = Pack::splat(simd, 1.0);
    for j in 0..count {
        let load = |from: &[S::f32s]| Pack::new(simd, from[j]);
        let inverse = load(inverse_mass);
        let c0 = [load(center[0]), load(center[1]), load(center[2])];
        let s = [load(m[0]), load(m[1]), load(m[2])];
        let occupied = simd.greater_than_f32s(inverse.value, zero.value);
        let mut a = [zero; 9];
        let mut size = Pack::splat(simd, TINY);
        for i in 0..3 {
            for k in 0..3 {
                let entry = s[i].times_from(c0[k], load(m[3 + 3 * i + k]));
                // an empty site is at rest for ever
                let rest = if i == k { one } else { zero };
                let entry = Pack::new(simd, simd.select_f32s(occupied, entry.value, rest.value));
                size = size + entry.abs();
                a[3 * i + k] = entry;
            }
        }
        let scale = one.over(size);
        for entry in &mut a {
            *entry = *entry * scale;
        }
        let mut q = [
            load(q_old[0]),
            load(q_old[1]),
            load(q_old[2]),
            load(q_old[3]),
        ];
        let r = improve(&a, &mut q);
        q0[j] = q[0].value;
        q1[j] = q[1].value;
        q2[j] = q[2].value;
        q3[j] = q[3].value;
        for i in 0..3 {
            let turned =
                r[3 * i].times_plus(c0[0], r[3 * i + 1].times_plus(c0[1], r[3 * i + 2] * c0[2]));
            let seen = s[i].times_plus(inverse, zero - turned);
            out[i][j] = simd.select_f32s(occupied, seen.value, zero.value);
        }
        for i in 0..9 {
            out[3 + i][j] = simd.select_f32s(occupied, r[i].value, zero.value);
        }
    }
}
