//! Regions of bodies that are lists of particles, one slab after another: sums come from shared bars, plates and cubes instead of windows.

use pulp::{Simd, WithSimd};

use crate::kernels::body::stiffness_weights::{apply_weights, weights_of_slab};
use crate::kernels::dense::goal_slabs::{Slabs, Workspace};
use crate::kernels::dense::smooth_slabs::{SmoothSlabs, SmoothWorkspace};
use crate::kernels::dense::stages::stage;
use crate::kernels::irregular::exchange::{rigid_at, transform_at, write_moments, write_sums};
use crate::kernels::matching::regions::{centers_of, match_regions};
use crate::kernels::matching::rigid_velocities::rigid_velocities;
use crate::kernels::memory::channels::{CONSTANTS, RIGID, TRANSFORM};
use crate::kernels::memory::layout::Part;

/// Rotations, centres and transforms of all regions.
pub(crate) struct ListTransforms<'a>(pub Slabs<'a>);

stage!(ListTransforms, self, simd => list_transforms(simd, self.0));

#[inline(always)]
fn list_transforms<S: Simd>(simd: S, slabs: Slabs<'_>) {
    let Slabs {
        layout,
        constants,
        weights,
        rotations,
        range,
        rotated,
        centers,
        separate,
        values,
        workspace,
        ..
    } = slabs;
    let Workspace {
        moments,
        transforms,
        ..
    } = workspace;
    let (plane, places) = (layout.plane, layout.moments());
    let outputs = rotated.chunks_mut(4 * plane);
    let outputs = outputs.zip(centers.chunks_mut(3 * plane));
    let outputs = outputs.zip(values.chunks_mut(plane));
    for (slab, ((new, centers), values)) in range.zip(outputs) {
        separate.replace(slab, |sum, at| write_moments(sum, at, places, moments));
        let constants = &constants[slab * CONSTANTS * plane..][..CONSTANTS * plane];
        let old = &rotations[slab * 4 * plane..][..4 * plane];
        match_regions(simd, layout, constants, moments, (old, new), transforms);
        centers_of(simd, Part::whole(layout), constants, moments, centers);
        let weights = weights_of_slab(weights, slab, plane);
        apply_weights(layout, weights, TRANSFORM, transforms);
        for (at, out) in values.iter_mut().enumerate() {
            *out = transform_at(layout.transforms(), transforms, at);
        }
    }
}

/// Rigid velocities of all regions.
pub(crate) struct ListVelocities<'a>(pub SmoothSlabs<'a>);

stage!(ListVelocities, self, simd => list_velocities(simd, self.0));

#[inline(always)]
fn list_velocities<S: Simd>(simd: S, slabs: SmoothSlabs<'_>) {
    let SmoothSlabs {
        layout,
        constants,
        weights,
        centers,
        range,
        separate,
        values,
        workspace,
        ..
    } = slabs;
    let SmoothWorkspace { sums, rigid, .. } = workspace;
    let plane = layout.plane;
    for (slab, values) in range.zip(values.chunks_mut(plane)) {
        separate.replace(slab, |sum, at| write_sums(sum, at, plane, sums));
        let constants = &constants[slab * CONSTANTS * plane..][..CONSTANTS * plane];
        let centers = &centers[slab * 3 * plane..][..3 * plane];
        rigid_velocities(simd, layout, constants, centers, sums, rigid);
        let weights = weights_of_slab(weights, slab, plane);
        apply_weights(layout, weights, RIGID, rigid);
        for (at, out) in values.iter_mut().enumerate() {
            *out = rigid_at(layout, rigid, at);
        }
    }
}
