//! Exchange of sums and contributions with regions that are not boxes.

use crate::kernels::irregular::changed_regions::ChangedRegions;
use crate::kernels::irregular::group::{Group, ZERO_GROUP};
use crate::kernels::irregular::irregular_part::IrregularPart;
use crate::kernels::memory::channels::{RIGID, SUMS};
use crate::kernels::memory::layout::Layout;
use crate::kernels::memory::tiles::Places;

/// Regions whose sums are no window sums: those that are not boxes, and those that broken links have changed. Their sums are computed elsewhere, and so are the sums of
/// their contributions.
#[derive(Clone, Copy)]
pub(crate) struct SeparateRegions<'a> {
    pub irregular: Option<&'a IrregularPart>,
    pub changed_regions: Option<&'a ChangedRegions>,
}

impl<'a> SeparateRegions<'a> {
    /// Sources of regions that are not boxes before each slab; empty if there are none.
    pub fn source_starts(&self) -> &'a [u32] {
        self.irregular.map_or(&[], |part| &part.source_starts)
    }

    /// Whether there are any.
    pub fn is_any(&self) -> bool {
        self.irregular.is_some() || self.changed_regions.is_some()
    }

    /// Calls `write` with the sums of these regions in a slab and their places.
    ///
    /// Not inlined, like [`Self::store`]: rarely used code must not take registers of the kernels.
    #[inline(never)]
    pub fn replace(&self, slab: usize, mut write: impl FnMut(&Group, usize)) {
        if let Some(irregular) = self.irregular {
            let starts = &irregular.target_starts[slab..slab + 2];
            let range = starts[0] as usize..starts[1] as usize;
            let places = &irregular.target_places[range.clone()];
            for (group, at) in irregular.sums[range].iter().zip(places) {
                write(group, *at as usize);
            }
        }
        if let Some(changed_regions) = self.changed_regions {
            changed_regions.replace(slab, write);
        }
    }

    /// Stores the contributions at those places of a slab that these regions contain; `first` is the slab with which `contributions` and `values` begin.
    #[inline(never)]
    pub fn store(
        &self,
        (slab, first): (usize, usize),
        plane: usize,
        [contributions, values]: [&mut [Group]; 2],
        get: impl Fn(usize) -> Group,
    ) {
        if let Some(irregular) = self.irregular {
            let [before, start, end] =
                [first, slab, slab + 1].map(|slab| irregular.source_starts[slab] as usize);
            let values = &mut values[start - before..end - before];
            for (out, at) in values.iter_mut().zip(&irregular.source_places[start..end]) {
                *out = get(*at as usize);
            }
        }
        if let Some(changed_regions) = self.changed_regions {
            let contributions = &mut contributions[(slab - first) * plane..][..plane];
            changed_regions.store(slab, contributions, get);
        }
    }
}

/// Writes the moments of a region to place `at` of its slab.
#[inline(always)]
pub(crate) fn write_moments(group: &Group, at: usize, places: Places, moments: &mut [f32]) {
    for c in 0..3 {
        moments[places.index(c, at)] = group[0][c];
        for axis in 0..3 {
            moments[places.index(3 + 3 * c + axis, at)] = group[1 + axis][c];
        }
    }
}

/// τ and the columns of R at place `at` of a slab.
#[inline(always)]
pub(crate) fn transform_at(places: Places, transforms: &[f32], at: usize) -> Group {
    let number = |c: usize| transforms[places.index(c, at)];
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
pub(crate) fn write_sums(group: &Group, at: usize, plane: usize, sums: &mut [f32]) {
    for c in 0..SUMS {
        sums[c * plane + at] = group[c / 4][c % 4];
    }
}

/// Rigid velocity of the region of place `at` of a slab.
#[inline(always)]
pub(crate) fn rigid_at(layout: &Layout, rigid: &[f32], at: usize) -> Group {
    let mut out = ZERO_GROUP;
    for c in 0..RIGID {
        out[c / 4][c % 4] = rigid[c * layout.padded() + layout.margin + at];
    }
    out
}
