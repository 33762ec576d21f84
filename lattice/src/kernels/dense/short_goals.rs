//! Goals of a dense lattice in one pass over memory, slab by slab.
//!
//! A region's moments are taken about its own particle: the sum of `m̃ x` over its box, and the same sum weighted by the distance along x, y
//! and z. Along each axis both are window sums (see [`crate::kernels::windows::direct`]), so that `Σ m̃ x` and `Σ m̃ x kᵀ` cost 27 window sums instead of the 36 of
//! twelve separate channels, and no large numbers cancel. What a region says about the places of its particles, `Σ (τ − R k)` with τ where it
//! sees its own particle, is the same in reverse.
//!
//! ```text
//! slab z        m̃ x → windows along y, x → ring of 2w+1 slabs
//! slab z − w    ring → windows along z → rotation, τ → windows along y, x → second ring
//! slab z − 2w   second ring → windows along z → mean → goal minus position
//! ```

use pulp::Simd;

use crate::kernels::body::stiffness_weights::{firmness_of, weigh};
use crate::kernels::dense::long_goals::{FIELD, Sliding};
use crate::kernels::dense::stages::{MatchRegions, apart};
use crate::kernels::irregular::changed_regions::Cracks;
use crate::kernels::irregular::listed::Group;
use crate::kernels::matching::regions::{
    Irregular, Part, TRANSFORM, centers_of, keep_transforms, put_moments, replace_moments,
    transform_at,
};
use crate::kernels::memory::layout::{CONSTANTS, Layout};
use crate::kernels::vector::pack::{Numbers, Pack, packs, packs_mut};
use crate::kernels::windows::direct::{Run, sum, sum_and_ramp, sum_less_ramp};

/// Window sums of a slab in the first ring: for each of x, y, z of the field the sum, its ramp along y and its ramp along x.
pub(crate) const FIRST: usize = 9;
/// In the second ring: for each of x, y, z what windows along z sum and what they weight.
pub(crate) const SECOND: usize = 6;

/// What one thread needs to work on a range of slabs.
#[derive(Debug, Clone)]
pub(crate) struct Workspace {
    /// rings of slabs
    pub first: Numbers,
    pub second: Numbers,
    pub zeros: Numbers,
    /// moments of a slab, which transforms replace in tiles, or transforms in padded planes
    pub moments: Numbers,
    pub transforms: Numbers,
    pub field: Numbers,
    pub sums: [Numbers; 3],
    /// rotations of slabs of a neighbour's range
    pub spare: Numbers,
    pub sliding: Sliding,
}

impl Workspace {
    pub fn new(layout: &Layout) -> Self {
        let long = layout.is_long();
        let slabs = layout.ring_slabs();
        let (plane, padded) = (layout.plane, layout.padded());
        let short = |count: usize| Numbers::zeros(if long { 0 } else { count });
        Self {
            first: short(slabs * FIRST * plane),
            second: Numbers::zeros(slabs * SECOND * plane),
            zeros: Numbers::zeros(plane),
            moments: Numbers::zeros(12 * plane),
            transforms: short(TRANSFORM * padded),
            field: short(padded),
            sums: std::array::from_fn(|_| short(padded)),
            spare: Numbers::zeros(4 * plane),
            sliding: if long {
                Sliding::new(layout, FIELD, 0)
            } else {
                Sliding::default()
            },
        }
    }
}

/// The parts of a body that a range of slabs reads and writes.
pub(crate) struct Slabs<'a> {
    pub layout: &'a Layout,
    /// [`CONSTANTS`] planes a slab
    pub constants: &'a [f32],
    /// a plane a slab, what regions weigh; empty where nothing is painted
    pub firmness: &'a [f32],
    /// three planes a slab, cells
    pub positions: &'a [f32],
    /// four planes a slab, all slabs
    pub rotations: &'a [f32],
    /// slabs to work on
    pub range: std::ops::Range<usize>,
    /// rotations of these slabs, to be written
    pub turned: &'a mut [f32],
    /// goal minus position of these slabs, three planes a slab, cells, to be written
    pub offsets: &'a mut [f32],
    /// centres of regions of these slabs, three planes a slab, cells, to be written if anything is
    pub centers: &'a mut [f32],
    pub irregular: Option<Irregular<'a>>,
    pub cracks: Option<&'a Cracks>,
    /// what the sources of cracks in these slabs say, by slab and place, to be written
    pub said: &'a mut [Group],
    /// transforms of the sources of these slabs, to be written
    pub values: &'a mut [Group],
    pub workspace: &'a mut Workspace,
}

/// Runs the pipeline over the range.
#[inline(always)]
pub(crate) fn goals<S: Simd, const W: usize>(simd: S, slabs: Slabs<'_>) {
    let Slabs {
        layout,
        constants,
        firmness,
        positions,
        rotations,
        range,
        turned,
        offsets,
        centers,
        irregular,
        cracks,
        said,
        values,
        workspace,
        ..
    } = slabs;
    let (plane, nz) = (layout.plane, layout.slabs);
    let fields = range.start.saturating_sub(2 * W)..(range.end + 2 * W).min(nz);
    let fits = range.start.saturating_sub(W)..(range.end + W).min(nz);
    for z in fields.start..range.end + 2 * W {
        if z < fields.end {
            let x = &positions[z * 3 * plane..][..3 * plane];
            let share = &constants[z * CONSTANTS * plane..][..plane];
            collect::<S, W>(simd, layout, x, share, workspace, z % (2 * W + 1));
        }
        let Some(fit) = z.checked_sub(W) else {
            continue;
        };
        if fits.contains(&fit) {
            moments::<S, W>(simd, layout, workspace, fit);
            if let Some(irregular) = irregular {
                let places = layout.moments();
                replace_moments(&irregular, fit, places, &mut workspace.moments);
            }
            if let Some(cracks) = cracks {
                let moments = &mut workspace.moments;
                let places = layout.moments();
                cracks.replace(fit, |group, at| put_moments(group, at, places, moments));
            }
            let constants = &constants[fit * CONSTANTS * plane..][..CONSTANTS * plane];
            let old = &rotations[fit * 4 * plane..][..4 * plane];
            let Workspace {
                moments,
                transforms,
                spare,
                ..
            } = workspace;
            let new = if range.contains(&fit) {
                &mut turned[(fit - range.start) * 4 * plane..][..4 * plane]
            } else {
                &mut spare[..]
            };
            let work = MatchRegions {
                layout,
                constants,
                moments,
                rotations: (old, new),
                transforms,
            };
            apart(simd, work);
            let firmness = firmness_of(firmness, fit, plane);
            weigh(layout, firmness, TRANSFORM, transforms);
            if range.contains(&fit) {
                if !centers.is_empty() {
                    let out = &mut centers[(fit - range.start) * 3 * plane..][..3 * plane];
                    centers_of(simd, Part::whole(layout), constants, moments, out);
                }
                if let Some(irregular) = irregular {
                    let first = irregular.source_starts[range.start] as usize;
                    let places = layout.transforms();
                    keep_transforms(&irregular, fit, places, transforms, first, values);
                }
                if let Some(cracks) = cracks {
                    let said = &mut said[(fit - range.start) * plane..][..plane];
                    cracks.keep(fit, said, |at| {
                        transform_at(layout.transforms(), transforms, at)
                    });
                }
            }
            spread::<S, W>(simd, layout, workspace, fit % (2 * W + 1));
        }
        let Some(goal) = fit.checked_sub(W) else {
            continue;
        };
        if range.contains(&goal) {
            let inverse = &constants[(goal * CONSTANTS + 5) * plane..][..plane];
            let x = &positions[goal * 3 * plane..][..3 * plane];
            let out = &mut offsets[(goal - range.start) * 3 * plane..][..3 * plane];
            let rings = (&*workspace.second, &*workspace.zeros);
            offsets_of::<S, W>(simd, layout, rings, goal, inverse, x, out);
        }
    }
}

/// Window sums along y and x of the field of one slab.
#[inline(always)]
fn collect<S: Simd, const W: usize>(
    simd: S,
    layout: &Layout,
    positions: &[f32],
    share: &[f32],
    workspace: &mut Workspace,
    slot: usize,
) {
    let (plane, margin) = (layout.plane, layout.margin);
    let Workspace {
        first, field, sums, ..
    } = workspace;
    let [sums, ramps, _] = sums;
    let out = &mut first[slot * FIRST * plane..][..FIRST * plane];
    let along = |stride| Run {
        at: margin,
        stride,
        count: plane,
    };
    for (c, out) in out.chunks_exact_mut(3 * plane).enumerate() {
        let x = packs::<S>(positions, c * plane, plane);
        let share = packs::<S>(share, 0, plane);
        let field_packs = packs_mut::<S>(field, margin, plane);
        for (j, to) in field_packs.iter_mut().enumerate() {
            *to = (Pack::new(simd, x[j]) * Pack::new(simd, share[j])).value;
        }
        sum_and_ramp::<S, W>(simd, along(layout.pitch), field, sums, ramps, margin);
        let (plain, rest) = out.split_at_mut(plane);
        let (ramp_y, ramp_x) = rest.split_at_mut(plane);
        sum_and_ramp::<S, W>(simd, along(1), sums, plain, ramp_x, 0);
        sum::<S, W>(simd, along(1), ramps, ramp_y, 0);
    }
}

/// A plane in the slabs at distance 1, 2, ... before and after.
pub(crate) type Sides<'a, S, const W: usize> = [[&'a [<S as Simd>::f32s]; 2]; W];

/// The planes of channel `c` in the ring for the slabs `z − W ..= z + W`; slabs outside of the block are zero.
#[inline(always)]
pub(crate) fn ring<'a, S: Simd, const W: usize>(
    layout: &Layout,
    ring: &'a [f32],
    zeros: &'a [f32],
    channels: usize,
    z: usize,
    c: usize,
) -> (Sides<'a, S, W>, &'a [S::f32s]) {
    let (plane, slabs) = (layout.plane, 2 * W + 1);
    let middle = packs::<S>(ring, ((z % slabs) * channels + c) * plane, plane);
    let mut sides = [[middle; 2]; W];
    let mut k = 0;
    while k < W {
        let distance = k + 1;
        let zero = packs::<S>(zeros, 0, plane);
        sides[k] = [
            match z.checked_sub(distance) {
                Some(before) => packs::<S>(ring, ((before % slabs) * channels + c) * plane, plane),
                None => zero,
            },
            match z + distance {
                after if after < layout.slabs => {
                    packs::<S>(ring, ((after % slabs) * channels + c) * plane, plane)
                }
                _ => zero,
            },
        ];
        k += 1;
    }
    (sides, middle)
}

/// Window sums along z: the moments of all regions of slab `z`.
#[inline(always)]
fn moments<S: Simd, const W: usize>(simd: S, layout: &Layout, workspace: &mut Workspace, z: usize) {
    let plane = layout.plane;
    let Workspace {
        first,
        zeros,
        moments,
        ..
    } = workspace;
    let (plain, ramped) = moments.split_at_mut(3 * plane);
    for c in 0..3 {
        let (sides, middle) = ring::<S, W>(layout, first, zeros, FIRST, z, 3 * c);
        let plain = packs_mut::<S>(plain, c * plane, plane);
        let ramp_z = packs_mut::<S>(ramped, (3 * c + 2) * plane, plane);
        for (j, (to, ramp)) in plain.iter_mut().zip(ramp_z).enumerate() {
            *to = total(simd, &sides, middle, j).value;
            *ramp = slope(simd, &sides, j).value;
        }
        // the ring has the ramp along y before that along x
        for (channel, axis) in [(3 * c + 1, 1), (3 * c + 2, 0)] {
            let (sides, middle) = ring::<S, W>(layout, first, zeros, FIRST, z, channel);
            let to = packs_mut::<S>(ramped, (3 * c + axis) * plane, plane);
            for (j, to) in to.iter_mut().enumerate() {
                *to = total(simd, &sides, middle, j).value;
            }
        }
    }
}

#[inline(always)]
pub(crate) fn total<S: Simd, const W: usize>(
    simd: S,
    sides: &Sides<'_, S, W>,
    middle: &[S::f32s],
    j: usize,
) -> Pack<S> {
    let mut sum = Pack::new(simd, middle[j]);
    for side in sides {
        sum = sum + (Pack::new(simd, side[0][j]) + Pack::new(simd, side[1][j]));
    }
    sum
}

#[inline(always)]
fn slope<S: Simd, const W: usize>(simd: S, sides: &Sides<'_, S, W>, j: usize) -> Pack<S> {
    let mut sum = Pack::new(simd, sides[0][1][j]) - Pack::new(simd, sides[0][0][j]);
    for (k, side) in sides.iter().enumerate().skip(1) {
        let difference = Pack::new(simd, side[1][j]) - Pack::new(simd, side[0][j]);
        sum = difference.times_plus(Pack::splat(simd, (k + 1) as f32), sum);
    }
    sum
}

/// Window sums along y and x of what the regions of a slab say.
#[inline(always)]
fn spread<S: Simd, const W: usize>(
    simd: S,
    layout: &Layout,
    workspace: &mut Workspace,
    slot: usize,
) {
    let (plane, padded, margin) = (layout.plane, layout.padded(), layout.margin);
    let Workspace {
        second,
        transforms,
        sums,
        ..
    } = workspace;
    let out = &mut second[slot * SECOND * plane..][..SECOND * plane];
    let along = |stride| Run {
        at: margin,
        stride,
        count: plane,
    };
    let [plain, by_x, by_z] = sums;
    let transform = |c: usize| &transforms[c * padded..][..padded];
    for (i, out) in out.chunks_exact_mut(2 * plane).enumerate() {
        let rows = along(layout.pitch);
        let (seen, column) = (transform(i), |k: usize| transform(3 + 3 * i + k));
        sum_less_ramp::<S, W>(simd, rows, (seen, column(1)), plain, margin);
        sum::<S, W>(simd, rows, column(0), by_x, margin);
        sum::<S, W>(simd, rows, column(2), by_z, margin);
        let (summed, weighted) = out.split_at_mut(plane);
        sum_less_ramp::<S, W>(simd, along(1), (plain, by_x), summed, 0);
        sum::<S, W>(simd, along(1), by_z, weighted, 0);
    }
}

/// Goal minus position of slab `z`.
#[inline(always)]
pub(crate) fn offsets_of<S: Simd, const W: usize>(
    simd: S,
    layout: &Layout,
    (second, zeros): (&[f32], &[f32]),
    z: usize,
    inverse: &[f32],
    positions: &[f32],
    out: &mut [f32],
) {
    let plane = layout.plane;
    let inverse = packs::<S>(inverse, 0, plane);
    for i in 0..3 {
        let (summed, middle) = ring::<S, W>(layout, second, zeros, SECOND, z, 2 * i);
        let (weighted, _) = ring::<S, W>(layout, second, zeros, SECOND, z, 2 * i + 1);
        let x = packs::<S>(positions, i * plane, plane);
        let out = packs_mut::<S>(out, i * plane, plane);
        for (j, to) in out.iter_mut().enumerate() {
            let goal = total(simd, &summed, middle, j) - slope(simd, &weighted, j);
            let goal = goal * Pack::new(simd, inverse[j]);
            *to = (goal - Pack::new(simd, x[j])).value;
        }
    }
}
