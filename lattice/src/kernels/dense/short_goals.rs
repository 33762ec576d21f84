//! Goals of a dense lattice with short windows in one pass over memory, slab by slab.
//!
//! A region's moments are taken about its own particle: the sum of `m̃ x` over its box, and the same sum weighted by the distance along x, y
//! and z. Along each axis both are window sums (see [`crate::kernels::windows::direct`]), so that `Σ m̃ x` and `Σ m̃ x kᵀ` cost 27 window sums instead of the 36 of
//! twelve separate channels, and no large numbers cancel. The contributions of regions to goals, `Σ (τ − R k)` with the position τ that a region gives
//! its own particle, are summed in the same way in reverse order.
//!
//! ```text
//! slab z        m̃ x → windows along y, x → ring of 2w+1 slabs
//! slab z − w    ring → windows along z → rotation, τ → windows along y, x → second ring
//! slab z − 2w   second ring → windows along z → mean → goal minus position
//! ```

use pulp::{Simd, WithSimd};

use crate::kernels::body::stiffness_weights::{apply_weights, weights_of_slab};
use crate::kernels::dense::goal_slabs::{Slabs, Workspace};
use crate::kernels::dense::ring::{SLABS, Window};
use crate::kernels::dense::stages::{MatchRegions, run_out_of_line, stage};
use crate::kernels::irregular::exchange::{transform_at, write_moments};
use crate::kernels::matching::regions::centers_of;
use crate::kernels::memory::arrange::MAX_SHORT_HALF_WIDTH as W;
use crate::kernels::memory::channels::{
    CONSTANTS, FIRST_RING_CHANNELS, INVERSE_COUNT, SECOND_RING_CHANNELS, TRANSFORM,
};
use crate::kernels::memory::layout::{Layout, Part};
use crate::kernels::vector::pack::{Pack, packs, packs_mut};
use crate::kernels::windows::direct::{Run, sum, sum_and_ramp, sum_less_ramp};

/// Runs the pipeline over the range.
#[inline(always)]
pub(crate) fn goals<S: Simd>(simd: S, slabs: Slabs<'_>) {
    let Slabs {
        layout,
        constants,
        weights,
        positions,
        rotations,
        range,
        rotated,
        offsets,
        centers,
        separate,
        contributions,
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
            collect(simd, layout, x, share, workspace, z % SLABS);
        }
        let Some(fit) = z.checked_sub(W) else {
            continue;
        };
        if fits.contains(&fit) {
            moments(simd, layout, workspace, fit);
            separate.replace(fit, |group, at| {
                write_moments(group, at, layout.moments(), &mut workspace.moments);
            });
            let constants = &constants[fit * CONSTANTS * plane..][..CONSTANTS * plane];
            let old = &rotations[fit * 4 * plane..][..4 * plane];
            let Workspace {
                moments,
                transforms,
                spare,
                ..
            } = workspace;
            let new = if range.contains(&fit) {
                &mut rotated[(fit - range.start) * 4 * plane..][..4 * plane]
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
            run_out_of_line(simd, work);
            let weights = weights_of_slab(weights, fit, plane);
            apply_weights(layout, weights, TRANSFORM, transforms);
            if range.contains(&fit) {
                let out = &mut centers[(fit - range.start) * 3 * plane..][..3 * plane];
                centers_of(simd, Part::whole(layout), constants, moments, out);
                let out = [&mut *contributions, &mut *values];
                separate.store((fit, range.start), plane, out, |at| {
                    transform_at(layout.transforms(), transforms, at)
                });
            }
            spread(simd, layout, workspace, fit % SLABS);
        }
        let Some(goal) = fit.checked_sub(W) else {
            continue;
        };
        if range.contains(&goal) {
            let inverse = &constants[(goal * CONSTANTS + INVERSE_COUNT) * plane..][..plane];
            let x = &positions[goal * 3 * plane..][..3 * plane];
            let out = &mut offsets[(goal - range.start) * 3 * plane..][..3 * plane];
            let rings = (&*workspace.second, &*workspace.zeros);
            offsets_of(simd, layout, rings, goal, inverse, x, out);
        }
    }
}

/// Window sums along y and x of the field of one slab.
#[inline(always)]
fn collect<S: Simd>(
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
    let out = &mut first[slot * FIRST_RING_CHANNELS * plane..][..FIRST_RING_CHANNELS * plane];
    let (along_x, along_y) = (Run::over(layout, 1), Run::over(layout, layout.pitch));
    for (c, out) in out.chunks_exact_mut(3 * plane).enumerate() {
        let x = packs::<S>(positions, c * plane, plane);
        let share = packs::<S>(share, 0, plane);
        let field_packs = packs_mut::<S>(field, margin, plane);
        for (j, to) in field_packs.iter_mut().enumerate() {
            *to = (Pack::new(simd, x[j]) * Pack::new(simd, share[j])).value;
        }
        sum_and_ramp::<S, W>(simd, along_y, field, sums, ramps, margin);
        let (plain, rest) = out.split_at_mut(plane);
        let (ramp_y, ramp_x) = rest.split_at_mut(plane);
        sum_and_ramp::<S, W>(simd, along_x, sums, plain, ramp_x, 0);
        sum::<S, W>(simd, along_x, ramps, ramp_y, 0);
    }
}

/// Window sums along z: the moments of all regions of slab `z`.
#[inline(always)]
fn moments<S: Simd>(simd: S, layout: &Layout, workspace: &mut Workspace, z: usize) {
    let plane = layout.plane;
    let Workspace {
        first,
        zeros,
        moments,
        ..
    } = workspace;
    let (plain, ramped) = moments.split_at_mut(3 * plane);
    for c in 0..3 {
        let window = Window::<S>::at(layout, first, zeros, FIRST_RING_CHANNELS, z, 3 * c);
        let plain = packs_mut::<S>(plain, c * plane, plane);
        let ramp_z = packs_mut::<S>(ramped, (3 * c + 2) * plane, plane);
        for (j, (to, ramp)) in plain.iter_mut().zip(ramp_z).enumerate() {
            *to = window.sum(simd, j).value;
            *ramp = window.ramp(simd, j).value;
        }
        // the ring has the ramp along y before that along x
        for (channel, axis) in [(3 * c + 1, 1), (3 * c + 2, 0)] {
            let window = Window::<S>::at(layout, first, zeros, FIRST_RING_CHANNELS, z, channel);
            let to = packs_mut::<S>(ramped, (3 * c + axis) * plane, plane);
            for (j, to) in to.iter_mut().enumerate() {
                *to = window.sum(simd, j).value;
            }
        }
    }
}

/// Window sums along y and x of the contributions of the regions of a slab.
#[inline(always)]
fn spread<S: Simd>(simd: S, layout: &Layout, workspace: &mut Workspace, slot: usize) {
    let (plane, padded, margin) = (layout.plane, layout.padded(), layout.margin);
    let Workspace {
        second,
        transforms,
        sums,
        ..
    } = workspace;
    let out = &mut second[slot * SECOND_RING_CHANNELS * plane..][..SECOND_RING_CHANNELS * plane];
    let (along_x, along_y) = (Run::over(layout, 1), Run::over(layout, layout.pitch));
    let [plain, by_x, by_z] = sums;
    let transform = |c: usize| &transforms[c * padded..][..padded];
    for (i, out) in out.chunks_exact_mut(2 * plane).enumerate() {
        let (tau, column) = (transform(i), |k: usize| transform(3 + 3 * i + k));
        sum_less_ramp::<S, W>(simd, along_y, (tau, column(1)), plain, margin);
        sum::<S, W>(simd, along_y, column(0), by_x, margin);
        sum::<S, W>(simd, along_y, column(2), by_z, margin);
        let (summed, weighted) = out.split_at_mut(plane);
        sum_less_ramp::<S, W>(simd, along_x, (plain, by_x), summed, 0);
        sum::<S, W>(simd, along_x, by_z, weighted, 0);
    }
}

/// Goal minus position of slab `z`.
#[inline(always)]
fn offsets_of<S: Simd>(
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
        let summed = Window::<S>::at(layout, second, zeros, SECOND_RING_CHANNELS, z, 2 * i);
        let weighted = Window::<S>::at(layout, second, zeros, SECOND_RING_CHANNELS, z, 2 * i + 1);
        let x = packs::<S>(positions, i * plane, plane);
        let out = packs_mut::<S>(out, i * plane, plane);
        for (j, to) in out.iter_mut().enumerate() {
            let goal = summed.sum(simd, j) - weighted.ramp(simd, j);
            let goal = goal * Pack::new(simd, inverse[j]);
            *to = (goal - Pack::new(simd, x[j])).value;
        }
    }
}

/// [`goals`].
pub(crate) struct ShortGoals<'a>(pub Slabs<'a>);

stage!(ShortGoals, self, simd => goals(simd, self.0));
