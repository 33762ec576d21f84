//! Goals and smooth velocities of a dense lattice with long windows: the pipelines of [`super::slabs`] and [`super::smooth`] with the windows of
//! [`super::long`].

use pulp::Simd;

use super::layout::{CONSTANTS, Layout};
use super::long::{Doubling, Ring};
use super::pack::{Numbers, Pack, packs, packs_mut};
use super::regions::{
    centers_of, keep_transforms, match_regions, put_moments, replace_moments, transform_at,
};
use super::slabs::{FIRST, SECOND, Slabs, Workspace};
use super::smooth::{
    RIGID, SUMS, SmoothSlabs, SmoothWorkspace, keep_rigid, put_sums, replace_sums, rigid_at,
    rigid_velocities, write_fields,
};
use super::window::Run;

/// What long windows need in addition.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sliding {
    doubling: Doubling,
    /// sliding sums of what goes in and of what comes back
    first: Numbers,
    second: Numbers,
    /// ramps of what comes back
    ramps: Numbers,
}

impl Sliding {
    /// Room for `first` and `second` channels.
    pub fn new(layout: &Layout, first: usize, second: usize) -> Self {
        Self {
            doubling: Doubling::new(layout),
            first: Numbers::zeros(first * layout.plane),
            second: Numbers::zeros(second * layout.plane),
            ramps: Numbers::zeros(3 * layout.plane),
        }
    }
}

/// Windows of places `stride` apart.
#[inline(always)]
fn along(layout: &Layout, stride: usize) -> Run {
    Run {
        at: layout.margin,
        stride,
        count: layout.plane,
    }
}

/// What [`super::slabs::goals`] does, for any half-width.
#[inline(always)]
pub(crate) fn long_goals<S: Simd>(simd: S, slabs: Slabs<'_>) {
    let Slabs {
        layout,
        constants,
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
    let (plane, padded, margin) = (layout.plane, layout.padded(), layout.margin);
    let (nz, w, slots) = (layout.slabs, layout.half_width, Ring::slabs(layout));
    let fields = range.start.saturating_sub(2 * w)..(range.end + 2 * w).min(nz);
    let fits = range.start.saturating_sub(w)..(range.end + w).min(nz);
    let (along_x, along_y) = (along(layout, 1), along(layout, layout.pitch));
    let Workspace {
        first,
        second,
        zeros,
        moments,
        transforms,
        field,
        sums,
        spare,
        sliding,
        ..
    } = workspace;
    let [a, b, c] = sums;
    let Sliding {
        doubling,
        first: first_sums,
        second: second_sums,
        ramps,
    } = sliding;
    for z in fields.start..range.end + 2 * w {
        if z < fields.end {
            let share = packs::<S>(constants, z * CONSTANTS * plane, plane);
            let out = &mut first[(z % slots) * FIRST * plane..][..FIRST * plane];
            for (i, out) in out.chunks_exact_mut(3 * plane).enumerate() {
                let x = packs::<S>(positions, (3 * z + i) * plane, plane);
                for (j, to) in packs_mut::<S>(field, margin, plane).iter_mut().enumerate() {
                    *to = (Pack::new(simd, x[j]) * Pack::new(simd, share[j])).value;
                }
                doubling.sum_and_ramp(simd, w, along_y, field, a, b, margin);
                let (plain, rest) = out.split_at_mut(plane);
                let (ramp_y, ramp_x) = rest.split_at_mut(plane);
                doubling.sum_and_ramp(simd, w, along_x, a, plain, ramp_x, 0);
                doubling.sum(simd, w, along_x, b, ramp_y, 0);
            }
        }
        let Some(fit) = z.checked_sub(w) else {
            continue;
        };
        if fits.contains(&fit) {
            let ring = Ring {
                layout,
                numbers: first,
                zeros,
                channels: FIRST,
                first: fits.start,
            };
            // sums and ramps in the order of moments
            let (plain, ramped) = first_sums.split_at_mut(3 * plane);
            for (i, (plain, ramped)) in plain
                .chunks_exact_mut(plane)
                .zip(ramped.chunks_exact_mut(3 * plane))
                .enumerate()
            {
                let (ramp_x, rest) = ramped.split_at_mut(plane);
                let (ramp_y, ramp_z) = rest.split_at_mut(plane);
                ring.slide(simd, fit, 3 * i, plain, ramp_z);
                ring.slide(simd, fit, 3 * i + 1, ramp_y, &mut []);
                ring.slide(simd, fit, 3 * i + 2, ramp_x, &mut []);
            }
            // sliding goes on from unchanged sums
            moments.copy_from_slice(first_sums);
            if let Some(irregular) = &irregular {
                replace_moments(irregular, fit, plane, moments);
            }
            if let Some(cracks) = cracks {
                cracks.replace(fit, |group, at| put_moments(group, at, plane, moments));
            }
            let constants = &constants[fit * CONSTANTS * plane..][..CONSTANTS * plane];
            let old = &rotations[fit * 4 * plane..][..4 * plane];
            let own = range.contains(&fit);
            let new = if own {
                &mut turned[(fit - range.start) * 4 * plane..][..4 * plane]
            } else {
                &mut spare[..]
            };
            match_regions(simd, layout, constants, moments, old, new, transforms);
            if own && !centers.is_empty() {
                let out = &mut centers[(fit - range.start) * 3 * plane..][..3 * plane];
                centers_of(simd, plane, constants, moments, out);
            }
            if let Some(irregular) = irregular.filter(|_| own) {
                let before = irregular.source_starts[range.start] as usize;
                keep_transforms(&irregular, fit, layout, transforms, before, values);
            }
            if let Some(cracks) = cracks.filter(|_| own) {
                let said = &mut said[(fit - range.start) * plane..][..plane];
                cracks.keep(fit, said, |at| transform_at(layout, transforms, at));
            }
            let out = &mut second[(fit % slots) * SECOND * plane..][..SECOND * plane];
            for (i, out) in out.chunks_exact_mut(2 * plane).enumerate() {
                let transform = |k: usize| &transforms[k * padded..][..padded];
                let column = |k: usize| transform(3 + 3 * i + k);
                doubling.sum_less_ramp(simd, w, along_y, (transform(i), column(1)), a, margin);
                doubling.sum(simd, w, along_y, column(0), b, margin);
                doubling.sum(simd, w, along_y, column(2), c, margin);
                let (summed, weighted) = out.split_at_mut(plane);
                doubling.sum_less_ramp(simd, w, along_x, (a, b), summed, 0);
                doubling.sum(simd, w, along_x, c, weighted, 0);
            }
        }
        let Some(goal) = fit.checked_sub(w).filter(|goal| range.contains(goal)) else {
            continue;
        };
        let ring = Ring {
            layout,
            numbers: second,
            zeros,
            channels: SECOND,
            first: range.start,
        };
        let inverse = packs::<S>(constants, (goal * CONSTANTS + 5) * plane, plane);
        let out = &mut offsets[(goal - range.start) * 3 * plane..][..3 * plane];
        for i in 0..3 {
            let both = &mut second_sums[2 * i * plane..][..2 * plane];
            let (summed, weighted) = both.split_at_mut(plane);
            let ramp = &mut ramps[i * plane..][..plane];
            ring.slide(simd, goal, 2 * i, summed, &mut []);
            ring.slide(simd, goal, 2 * i + 1, weighted, ramp);
            let (summed, ramp) = (packs::<S>(summed, 0, plane), packs::<S>(ramp, 0, plane));
            let x = packs::<S>(positions, (3 * goal + i) * plane, plane);
            let out = packs_mut::<S>(out, i * plane, plane);
            for (j, to) in out.iter_mut().enumerate() {
                let goal = Pack::new(simd, summed[j]) - Pack::new(simd, ramp[j]);
                let goal = goal * Pack::new(simd, inverse[j]);
                *to = (goal - Pack::new(simd, x[j])).value;
            }
        }
    }
}

/// What [`super::smooth::smooth`] does, for any half-width.
#[inline(always)]
pub(crate) fn long_smooth<S: Simd>(simd: S, slabs: SmoothSlabs<'_>) {
    let SmoothSlabs {
        layout,
        constants,
        positions,
        velocities,
        centers,
        range,
        changes,
        irregular,
        cracks,
        said,
        values,
        workspace,
        ..
    } = slabs;
    let (plane, padded, margin) = (layout.plane, layout.padded(), layout.margin);
    let (nz, w, slots) = (layout.slabs, layout.half_width, Ring::slabs(layout));
    let fields_range = range.start.saturating_sub(2 * w)..(range.end + 2 * w).min(nz);
    let fits = range.start.saturating_sub(w)..(range.end + w).min(nz);
    let (along_x, along_y) = (along(layout, 1), along(layout, layout.pitch));
    let SmoothWorkspace {
        first,
        second,
        zeros,
        sums,
        fields,
        rows,
        rigid,
        sliding,
        ..
    } = workspace;
    let Sliding {
        doubling,
        first: first_sums,
        second: second_sums,
        ..
    } = sliding;
    for z in fields_range.start..range.end + 2 * w {
        if z < fields_range.end {
            let at = (
                &positions[z * 3 * plane..][..3 * plane],
                &velocities[z * 3 * plane..][..3 * plane],
            );
            let share = &constants[z * CONSTANTS * plane..][..plane];
            write_fields(simd, layout, at, share, fields);
            let out = &mut first[(z % slots) * SUMS * plane..][..SUMS * plane];
            for (out, field) in out.chunks_exact_mut(plane).zip(fields.chunks_exact(padded)) {
                doubling.sum(simd, w, along_y, field, rows, margin);
                doubling.sum(simd, w, along_x, rows, out, 0);
            }
        }
        let Some(fit) = z.checked_sub(w) else {
            continue;
        };
        if fits.contains(&fit) {
            let ring = Ring {
                layout,
                numbers: first,
                zeros,
                channels: SUMS,
                first: fits.start,
            };
            for (c, sum) in first_sums.chunks_exact_mut(plane).enumerate() {
                ring.slide(simd, fit, c, sum, &mut []);
            }
            sums.copy_from_slice(first_sums);
            if let Some(irregular) = &irregular {
                replace_sums(irregular, fit, plane, sums);
            }
            if let Some(cracks) = cracks {
                cracks.replace(fit, |group, at| put_sums(group, at, plane, sums));
            }
            let constants = &constants[fit * CONSTANTS * plane..][..CONSTANTS * plane];
            let centers = &centers[fit * 3 * plane..][..3 * plane];
            rigid_velocities(simd, layout, constants, centers, sums, rigid);
            if let Some(irregular) = irregular.filter(|_| range.contains(&fit)) {
                let before = irregular.source_starts[range.start] as usize;
                keep_rigid(&irregular, fit, layout, rigid, before, values);
            }
            if let Some(cracks) = cracks.filter(|_| range.contains(&fit)) {
                let said = &mut said[(fit - range.start) * plane..][..plane];
                cracks.keep(fit, said, |at| rigid_at(layout, rigid, at));
            }
            let out = &mut second[(fit % slots) * RIGID * plane..][..RIGID * plane];
            for (out, said) in out.chunks_exact_mut(plane).zip(rigid.chunks_exact(padded)) {
                doubling.sum(simd, w, along_y, said, rows, margin);
                doubling.sum(simd, w, along_x, rows, out, 0);
            }
        }
        let Some(goal) = fit.checked_sub(w).filter(|goal| range.contains(goal)) else {
            continue;
        };
        let ring = Ring {
            layout,
            numbers: second,
            zeros,
            channels: RIGID,
            first: range.start,
        };
        for (c, sum) in second_sums.chunks_exact_mut(plane).enumerate() {
            ring.slide(simd, goal, c, sum, &mut []);
        }
        let at = (
            &positions[goal * 3 * plane..][..3 * plane],
            &velocities[goal * 3 * plane..][..3 * plane],
        );
        let inverse = &constants[(goal * CONSTANTS + 5) * plane..][..plane];
        let out = &mut changes[(goal - range.start) * 3 * plane..][..3 * plane];
        changes_from(simd, plane, inverse, at, second_sums, out);
    }
}

/// Smooth velocity minus velocity, from sums of velocities and spins.
#[inline(always)]
pub(crate) fn changes_from<S: Simd>(
    simd: S,
    plane: usize,
    inverse: &[f32],
    (positions, velocities): (&[f32], &[f32]),
    sums: &[f32],
    changes: &mut [f32],
) {
    let inverse = packs::<S>(inverse, 0, plane);
    for i in 0..3 {
        let (next, last) = ((i + 1) % 3, (i + 2) % 3);
        let (x_next, x_last) = (
            packs::<S>(positions, next * plane, plane),
            packs::<S>(positions, last * plane, plane),
        );
        let (spin_next, spin_last) = (
            packs::<S>(sums, (3 + next) * plane, plane),
            packs::<S>(sums, (3 + last) * plane, plane),
        );
        let plain = packs::<S>(sums, i * plane, plane);
        let v = packs::<S>(velocities, i * plane, plane);
        let out = packs_mut::<S>(changes, i * plane, plane);
        for (j, out) in out.iter_mut().enumerate() {
            let load = |from: &[S::f32s]| Pack::new(simd, from[j]);
            let turn = load(spin_last).times_from(load(x_next), load(spin_next) * load(x_last));
            let smooth = (load(plain) + turn) * load(inverse);
            *out = (smooth - load(v)).value;
        }
    }
}
