//! What goes to and comes from regions that are not boxes.

use crate::kernels::irregular::group::Group;
use crate::kernels::memory::channels::{RIGID, SUMS};
use crate::kernels::memory::layout::Layout;
use crate::kernels::memory::tiles::Places;

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
    in_moments: Places,
    moments: &mut [f32],
) {
    let starts = &irregular.target_starts[slab..slab + 2];
    let range = starts[0] as usize..starts[1] as usize;
    let places = &irregular.target_places[range.clone()];
    for (group, at) in irregular.sums[range].iter().zip(places) {
        put_moments(group, *at as usize, in_moments, moments);
    }
}

/// Writes the moments of a region to place `at` of its slab.
#[inline(always)]
pub(crate) fn put_moments(group: &Group, at: usize, places: Places, moments: &mut [f32]) {
    for c in 0..3 {
        moments[places.of(c, at)] = group[0][c];
        for axis in 0..3 {
            moments[places.of(3 + 3 * c + axis, at)] = group[1 + axis][c];
        }
    }
}

/// Keeps the transforms of particles in regions that are not boxes.
pub(crate) fn keep_transforms(
    irregular: &Irregular<'_>,
    slab: usize,
    in_transforms: Places,
    transforms: &[f32],
    first: usize,
    values: &mut [Group],
) {
    let starts = &irregular.source_starts[slab..slab + 2];
    let range = starts[0] as usize..starts[1] as usize;
    let values = &mut values[range.start - first..range.end - first];
    for (out, at) in values.iter_mut().zip(&irregular.source_places[range]) {
        *out = transform_at(in_transforms, transforms, *at as usize);
    }
}

/// τ and the columns of R at place `at` of a slab.
#[inline(always)]
pub(crate) fn transform_at(places: Places, transforms: &[f32], at: usize) -> Group {
    let number = |c: usize| transforms[places.of(c, at)];
    let column = |k: usize| [number(3 + k), number(6 + k), number(9 + k), 0.0];
    [
        [number(0), number(1), number(2), 0.0],
        column(0),
        column(1),
        column(2),
    ]
}

/// Puts the sums of regions that are not boxes where those of their boxes are.
pub(crate) fn replace_sums(irregular: &Irregular<'_>, slab: usize, plane: usize, sums: &mut [f32]) {
    let starts = &irregular.target_starts[slab..slab + 2];
    let targets = starts[0] as usize..starts[1] as usize;
    let places = &irregular.target_places[targets.clone()];
    for (group, at) in irregular.sums[targets].iter().zip(places) {
        put_sums(group, *at as usize, plane, sums);
    }
}

/// Keeps what is said of particles in regions that are not boxes.
pub(crate) fn keep_rigid(
    irregular: &Irregular<'_>,
    slab: usize,
    layout: &Layout,
    rigid: &[f32],
    first: usize,
    values: &mut [Group],
) {
    let starts = &irregular.source_starts[slab..slab + 2];
    let sources = starts[0] as usize..starts[1] as usize;
    let values = &mut values[sources.start - first..sources.end - first];
    for (out, at) in values.iter_mut().zip(&irregular.source_places[sources]) {
        *out = rigid_at(layout, rigid, *at as usize);
    }
}

/// Writes the sums of a region to place `at` of its slab.
#[inline(always)]
pub(crate) fn put_sums(group: &Group, at: usize, plane: usize, sums: &mut [f32]) {
    for c in 0..SUMS {
        sums[c * plane + at] = group[c / 4][c % 4];
    }
}

/// What the region of place `at` of a slab says.
#[inline(always)]
pub(crate) fn rigid_at(layout: &Layout, rigid: &[f32], at: usize) -> Group {
    let mut out = [[0.0; 4]; 4];
    for c in 0..RIGID {
        out[c / 4][c % 4] = rigid[c * layout.padded() + layout.margin + at];
    }
    out
}
