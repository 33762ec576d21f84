//! What goes to and comes from regions that are not boxes.

use crate::kernels::irregular::changed_regions::ChangedRegions;
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

/// Regions whose sums are no window sums: those that are not boxes, and those that links have changed.
#[derive(Clone, Copy)]
pub(crate) struct Outside<'a> {
    pub irregular: Option<Irregular<'a>>,
    pub changed_regions: Option<&'a ChangedRegions>,
}

impl Outside<'_> {
    /// Whether there are any.
    pub fn is_there(&self) -> bool {
        self.irregular.is_some() || self.changed_regions.is_some()
    }

    /// Hands the sums of these regions in a slab to `put`, with their places.
    ///
    /// A function of its own, like [`Self::keep`]: what is seldom needed takes no registers of the kernels.
    #[inline(never)]
    pub fn replace(&self, slab: usize, mut put: impl FnMut(&Group, usize)) {
        if let Some(irregular) = &self.irregular {
            let starts = &irregular.target_starts[slab..slab + 2];
            let range = starts[0] as usize..starts[1] as usize;
            let places = &irregular.target_places[range.clone()];
            for (group, at) in irregular.sums[range].iter().zip(places) {
                put(group, *at as usize);
            }
        }
        if let Some(changed_regions) = self.changed_regions {
            changed_regions.replace(slab, put);
        }
    }

    /// Keeps what is said at those places of a slab that these regions contain; `first` is the slab with which `said` and `values` begin.
    #[inline(never)]
    pub fn keep(
        &self,
        (slab, first): (usize, usize),
        plane: usize,
        [said, values]: [&mut [Group]; 2],
        get: impl Fn(usize) -> Group,
    ) {
        if let Some(irregular) = &self.irregular {
            let [before, start, end] =
                [first, slab, slab + 1].map(|slab| irregular.source_starts[slab] as usize);
            let values = &mut values[start - before..end - before];
            for (out, at) in values.iter_mut().zip(&irregular.source_places[start..end]) {
                *out = get(*at as usize);
            }
        }
        if let Some(changed_regions) = self.changed_regions {
            let said = &mut said[(slab - first) * plane..][..plane];
            changed_regions.keep(slab, said, get);
        }
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
