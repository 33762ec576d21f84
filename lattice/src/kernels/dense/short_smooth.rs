//! Smooth velocities of a dense lattice with short windows in one pass over memory: the damping operator of [`crate::step::damping::region_average`], slab by slab.
//!
//! Twelve sums over particles (momentum, angular momentum and second moments about the centre of the body) and six over regions use the same rings of
//! slabs as [`crate::kernels::dense::short_goals`].

use pulp::Simd;

use crate::kernels::body::stiffness_weights::{apply_weights, weights_of_slab};
use crate::kernels::dense::changes::changes_from;
use crate::kernels::dense::ring::{SLABS, Window};
use crate::kernels::dense::smooth_slabs::{SmoothSlabs, SmoothWorkspace};
use crate::kernels::irregular::exchange::{rigid_at, write_sums};
use crate::kernels::matching::motion_fields::write_fields;
use crate::kernels::matching::rigid_velocities::rigid_velocities;
use crate::kernels::memory::arrange::MAX_SHORT_HALF_WIDTH as W;
use crate::kernels::memory::channels::{CONSTANTS, INVERSE_COUNT, RIGID, SUMS};
use crate::kernels::memory::layout::Layout;
use crate::kernels::vector::pack::packs_mut;
use crate::kernels::windows::direct::{Run, sum};

/// Runs the pipeline over the range.
#[inline(always)]
pub(crate) fn smooth<S: Simd>(simd: S, slabs: SmoothSlabs<'_>) {
    let SmoothSlabs {
        layout,
        constants,
        weights,
        positions,
        velocities,
        centers,
        range,
        changes,
        separate,
        contributions,
        values,
        workspace,
        ..
    } = slabs;
    let (plane, nz) = (layout.plane, layout.slabs);
    let fields = range.start.saturating_sub(2 * W)..(range.end + 2 * W).min(nz);
    let fits = range.start.saturating_sub(W)..(range.end + W).min(nz);
    let slab_planes = |from, slab: usize, count: usize| planes(from, slab, count, plane);
    for z in fields.start..range.end + 2 * W {
        if z < fields.end {
            let at = (slab_planes(positions, z, 3), slab_planes(velocities, z, 3));
            let share = slab_planes(constants, z, CONSTANTS);
            collect(simd, layout, at, share, workspace, z % SLABS);
        }
        let Some(fit) = z.checked_sub(W) else {
            continue;
        };
        if fits.contains(&fit) {
            let SmoothWorkspace {
                first,
                zeros,
                sums,
                rigid,
                ..
            } = workspace;
            add_along_z(simd, layout, (first, zeros), fit, sums);
            separate.replace(fit, |group, at| write_sums(group, at, plane, sums));
            let constants = slab_planes(constants, fit, CONSTANTS);
            rigid_velocities(
                simd,
                layout,
                constants,
                slab_planes(centers, fit, 3),
                sums,
                rigid,
            );
            let weights = weights_of_slab(weights, fit, plane);
            apply_weights(layout, weights, RIGID, rigid);
            if range.contains(&fit) {
                let out = [&mut *contributions, &mut *values];
                separate.store((fit, range.start), plane, out, |at| {
                    rigid_at(layout, rigid, at)
                });
            }
            spread(simd, layout, workspace, fit % SLABS);
        }
        let Some(goal) = fit.checked_sub(W) else {
            continue;
        };
        if range.contains(&goal) {
            let at = (
                slab_planes(positions, goal, 3),
                slab_planes(velocities, goal, 3),
            );
            let SmoothWorkspace {
                second,
                zeros,
                sums,
                ..
            } = workspace;
            let sums = &mut sums[..RIGID * plane];
            add_along_z(simd, layout, (second, zeros), goal, sums);
            let inverse = &constants[(goal * CONSTANTS + INVERSE_COUNT) * plane..][..plane];
            let out = &mut changes[(goal - range.start) * 3 * plane..][..3 * plane];
            changes_from(simd, plane, inverse, at, sums, out);
        }
    }
}

/// The planes of one slab.
#[inline(always)]
fn planes(from: &[f32], slab: usize, count: usize, plane: usize) -> &[f32] {
    &from[slab * count * plane..][..count * plane]
}

/// Window sums along y and x of the fields of one slab.
#[inline(always)]
fn collect<S: Simd>(
    simd: S,
    layout: &Layout,
    (positions, velocities): (&[f32], &[f32]),
    share: &[f32],
    workspace: &mut SmoothWorkspace,
    slot: usize,
) {
    let SmoothWorkspace {
        first,
        fields,
        rows,
        ..
    } = workspace;
    write_fields(simd, layout, (positions, velocities), share, fields);
    let size = SUMS * layout.plane;
    sum_planes(
        simd,
        layout,
        fields,
        rows,
        &mut first[slot * size..][..size],
    );
}

/// Window sums along y and x of padded planes; `rows` is memory for one.
#[inline(always)]
fn sum_planes<S: Simd>(simd: S, layout: &Layout, from: &[f32], rows: &mut [f32], to: &mut [f32]) {
    let (along_x, along_y) = (Run::over(layout, 1), Run::over(layout, layout.pitch));
    let planes = from.chunks_exact(layout.padded());
    for (to, from) in to.chunks_exact_mut(layout.plane).zip(planes) {
        sum::<S, W>(simd, along_y, from, rows, layout.margin);
        sum::<S, W>(simd, along_x, rows, to, 0);
    }
}

/// Window sums along z about slab `z` of all planes in a ring of slabs; `to` has one for each of these.
#[inline(always)]
fn add_along_z<S: Simd>(
    simd: S,
    layout: &Layout,
    (ring, zeros): (&[f32], &[f32]),
    z: usize,
    to: &mut [f32],
) {
    let plane = layout.plane;
    let channels = to.len() / plane;
    for (c, sums) in to.chunks_exact_mut(plane).enumerate() {
        let window = Window::<S>::at(layout, ring, zeros, channels, z, c);
        let out = packs_mut::<S>(sums, 0, plane);
        for (j, to) in out.iter_mut().enumerate() {
            *to = window.sum(simd, j).value;
        }
    }
}

/// Window sums along y and x of the contributions of the regions of a slab.
#[inline(always)]
fn spread<S: Simd>(simd: S, layout: &Layout, workspace: &mut SmoothWorkspace, slot: usize) {
    let SmoothWorkspace {
        second,
        rigid,
        rows,
        ..
    } = workspace;
    let size = RIGID * layout.plane;
    sum_planes(
        simd,
        layout,
        rigid,
        rows,
        &mut second[slot * size..][..size],
    );
}
