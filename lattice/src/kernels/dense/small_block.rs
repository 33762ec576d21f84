//! Goals and smooth velocities of a small block: all of it at once, windows along z by the same loops as those along x and y.
//!
//! Windows also write to the empty places between rows and layers. No window of a particle reads such a value, because along each axis the
//! places beyond the block are still zero after the previous windows.

use pulp::Simd;

use crate::kernels::body::stiffness_weights::apply_weights;
use crate::kernels::dense::changes::changes_from;
use crate::kernels::dense::goal_slabs::{Slabs, Workspace};
use crate::kernels::dense::smooth_slabs::{SmoothSlabs, SmoothWorkspace};
use crate::kernels::irregular::exchange::{rigid_at, transform_at, write_moments, write_sums};
use crate::kernels::matching::motion_fields::write_fields;
use crate::kernels::matching::regions::{centers_of, match_regions};
use crate::kernels::matching::rigid_velocities::rigid_velocities;
use crate::kernels::memory::channels::{INVERSE_COUNT, RIGID, TRANSFORM};
use crate::kernels::memory::layout::Part;
use crate::kernels::vector::pack::{Pack, packs, packs_mut};
use crate::kernels::windows::direct::{Run, sum, sum_and_ramp, sum_less_ramp};

/// The same as [`crate::kernels::dense::short_goals::goals`], for a small block.
#[inline(always)]
pub(crate) fn small_goals<S: Simd, const W: usize>(simd: S, slabs: Slabs<'_>) {
    let Slabs {
        layout,
        constants,
        weights,
        positions,
        rotations,
        rotated,
        offsets,
        centers,
        separate,
        contributions,
        values,
        workspace,
        ..
    } = slabs;
    let (plane, padded, margin) = (layout.plane, layout.padded(), layout.margin);
    let [along_x, along_y, along_z] =
        [1, layout.pitch, layout.layer].map(|stride| Run::over(layout, stride));
    let Workspace {
        moments,
        transforms,
        field,
        sums,
        ..
    } = workspace;
    let [a, b, c] = sums;
    let share = packs::<S>(constants, 0, plane);
    for i in 0..3 {
        let x = packs::<S>(positions, i * plane, plane);
        for (j, to) in packs_mut::<S>(field, margin, plane).iter_mut().enumerate() {
            *to = (Pack::new(simd, x[j]) * Pack::new(simd, share[j])).value;
        }
        let (plain, ramped) = moments.split_at_mut(3 * plane);
        let ramps = &mut ramped[3 * i * plane..][..3 * plane];
        // rows, then their sums and ramps along x
        sum_and_ramp::<S, W>(simd, along_y, field, a, b, margin);
        sum::<S, W>(simd, along_x, b, field, margin);
        sum::<S, W>(simd, along_z, field, ramps, plane);
        sum_and_ramp::<S, W>(simd, along_x, a, b, c, margin);
        sum::<S, W>(simd, along_z, c, ramps, 0);
        let (_, ramp_z) = ramps.split_at_mut(2 * plane);
        let plain = &mut plain[i * plane..][..plane];
        sum_and_ramp::<S, W>(simd, along_z, b, plain, ramp_z, 0);
    }
    separate.replace(0, |group, at| {
        write_moments(group, at, layout.moments(), moments);
    });
    match_regions(
        simd,
        layout,
        constants,
        moments,
        (rotations, rotated),
        transforms,
    );
    apply_weights(layout, weights, TRANSFORM, transforms);
    centers_of(simd, Part::whole(layout), constants, moments, centers);
    separate.store((0, 0), plane, [contributions, values], |at| {
        transform_at(layout.transforms(), transforms, at)
    });
    let inverse = packs::<S>(constants, INVERSE_COUNT * plane, plane);
    for i in 0..3 {
        let transform = |c: usize| &transforms[c * padded..][..padded];
        let column = |k: usize| transform(3 + 3 * i + k);
        sum_less_ramp::<S, W>(simd, along_y, (transform(i), column(1)), a, margin);
        sum::<S, W>(simd, along_y, column(0), b, margin);
        sum_less_ramp::<S, W>(simd, along_x, (a, b), c, margin);
        sum::<S, W>(simd, along_y, column(2), a, margin);
        sum::<S, W>(simd, along_x, a, b, margin);
        let out = &mut offsets[i * plane..][..plane];
        sum_less_ramp::<S, W>(simd, along_z, (c, b), out, 0);
        let x = packs::<S>(positions, i * plane, plane);
        for (j, to) in packs_mut::<S>(out, 0, plane).iter_mut().enumerate() {
            let goal = Pack::new(simd, *to) * Pack::new(simd, inverse[j]);
            *to = (goal - Pack::new(simd, x[j])).value;
        }
    }
}

/// The same as [`crate::kernels::dense::short_smooth::smooth`], for a small block.
#[inline(always)]
pub(crate) fn small_smooth<S: Simd, const W: usize>(simd: S, slabs: SmoothSlabs<'_>) {
    let SmoothSlabs {
        layout,
        constants,
        weights,
        positions,
        velocities,
        centers,
        changes,
        separate,
        contributions,
        values,
        workspace,
        ..
    } = slabs;
    let (plane, padded, margin) = (layout.plane, layout.padded(), layout.margin);
    let [along_x, along_y, along_z] =
        [1, layout.pitch, layout.layer].map(|stride| Run::over(layout, stride));
    let SmoothWorkspace {
        sums,
        fields,
        rows,
        rigid,
        ..
    } = workspace;
    write_fields(simd, layout, (positions, velocities), constants, fields);
    for (out, field) in sums
        .chunks_exact_mut(plane)
        .zip(fields.chunks_exact_mut(padded))
    {
        sum::<S, W>(simd, along_y, field, rows, margin);
        sum::<S, W>(simd, along_x, rows, field, margin);
        sum::<S, W>(simd, along_z, field, out, 0);
    }
    let moving = (positions, velocities);
    separate.replace(0, |group, at| write_sums(group, at, plane, sums));
    rigid_velocities(simd, layout, constants, centers, sums, rigid);
    apply_weights(layout, weights, RIGID, rigid);
    separate.store((0, 0), plane, [contributions, values], |at| {
        rigid_at(layout, rigid, at)
    });
    for (out, contributions) in sums
        .chunks_exact_mut(plane)
        .zip(rigid.chunks_exact_mut(padded))
    {
        sum::<S, W>(simd, along_y, contributions, rows, margin);
        sum::<S, W>(simd, along_x, rows, contributions, margin);
        sum::<S, W>(simd, along_z, contributions, out, 0);
    }
    let inverse = &constants[INVERSE_COUNT * plane..][..plane];
    changes_from(simd, plane, inverse, moving, sums, changes);
}
