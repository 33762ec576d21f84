//! Smooth velocities of a dense lattice at a cost that does not depend on the half-width, like [`crate::kernels::dense::long_goals`].

use pulp::Simd;

use crate::kernels::body::stiffness_weights::{apply_weights, weights_of_slab};
use crate::kernels::dense::changes::changes_from;
use crate::kernels::dense::sliding::Sliding;
use crate::kernels::dense::smooth_slabs::{SmoothSlabs, SmoothWorkspace};
use crate::kernels::irregular::exchange::{rigid_at, write_sums};
use crate::kernels::matching::rigid_velocities::rigid_velocities;
use crate::kernels::memory::channels::{CONSTANTS, INVERSE_COUNT, RIGID, SUMS};
use crate::kernels::memory::slab_groups::group_size;
use crate::kernels::memory::tiles::COMPONENTS;
use crate::kernels::windows::along_z::groups::AlongZ;

/// The same as [`crate::kernels::dense::short_smooth::smooth`], for any half-width.
#[inline(always)]
pub(crate) fn long_smooth<S: Simd>(simd: S, slabs: SmoothSlabs<'_>) {
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
    let plane = layout.plane;
    let (nz, w, slots) = (layout.slabs, layout.half_width, layout.ring_slabs());
    let fits = range.start.saturating_sub(w)..(range.end + w).min(nz);
    let SmoothWorkspace {
        second,
        sums,
        rigid,
        sliding,
        ..
    } = workspace;
    let Sliding {
        folded,
        first,
        second: back,
    } = sliding;
    let group = group_size(w);
    for fit in fits.start..range.end + w {
        if fits.contains(&fit) {
            if fit == fits.start || fit % group == 0 {
                let end = (fit / group + 1) * group;
                let along_z = AlongZ::new(layout, group, fit..end.min(fits.end));
                along_z.motions(simd, layout, constants, [positions, velocities], first);
            }
            let first = &first[fit % group * SUMS * plane..];
            let to = (&mut sums[..], plane);
            folded.sum_to_planes::<S, { SUMS / COMPONENTS }>(simd, first, to);
            separate.replace(fit, |group, at| write_sums(group, at, plane, sums));
            let constants = &constants[fit * CONSTANTS * plane..][..CONSTANTS * plane];
            let centers = &centers[fit * 3 * plane..][..3 * plane];
            rigid_velocities(simd, layout, constants, centers, sums, rigid);
            let weights = weights_of_slab(weights, fit, plane);
            apply_weights(layout, weights, RIGID, rigid);
            if range.contains(&fit) {
                let out = [&mut *contributions, &mut *values];
                separate.store((fit, range.start), plane, out, |at| {
                    rigid_at(layout, rigid, at)
                });
            }
            let slot = (fit % slots) * RIGID * plane;
            let from = (&rigid[..], plane);
            let to = &mut second[slot..];
            folded.sum_from_planes::<S, { RIGID / COMPONENTS }>(simd, from, to);
        }
        let Some(goal) = fit.checked_sub(w).filter(|goal| range.contains(goal)) else {
            continue;
        };
        if (goal + 1) % group != 0 && goal + 1 != range.end {
            continue;
        }
        let targets = (goal / group * group).max(range.start)..goal + 1;
        AlongZ::new(layout, group, targets.clone()).rigid(simd, layout, second, back);
        for z in targets {
            let at = (
                &positions[z * 3 * plane..][..3 * plane],
                &velocities[z * 3 * plane..][..3 * plane],
            );
            let inverse = &constants[(z * CONSTANTS + INVERSE_COUNT) * plane..][..plane];
            let back = &back[z % group * RIGID * plane..];
            let out = &mut changes[(z - range.start) * 3 * plane..][..3 * plane];
            changes_from(simd, plane, inverse, at, back, out);
        }
    }
}
