//! Goals of a dense lattice at a cost that does not depend on the half-width: the pipeline of [`crate::kernels::dense::short_goals`] with the windows of
//! [`crate::kernels::windows::along_z`] and [`crate::kernels::windows::folded`].
//!
//! ```text
//! slabs z − w .. z + w   m̃ x → windows along z → windows along x, y → rotation, τ → windows along y, x → ring
//! slab z − w             ring → windows along z → mean → goal minus position
//! ```
//! Windows along z come first where sums of particles are wanted, as they read positions and need no ring, and last where sums of what
//! regions say are. Both take a group of slabs at once.

use pulp::Simd;

use crate::kernels::body::stiffness_weights::{firmness_of, weigh, weigh_tiles};
use crate::kernels::dense::short_goals::{SECOND, Slabs, Workspace};
use crate::kernels::dense::short_smooth::{
    RIGID, SUMS, SmoothSlabs, SmoothWorkspace, keep_rigid, put_sums, replace_sums, rigid_at,
    rigid_velocities,
};
use crate::kernels::dense::stages::{
    GoalsAlongZ, MatchTiles, MomentsAlongX, MomentsAlongY, MomentsAlongZ, TransformsAlongX,
    TransformsAlongY, apart,
};
use crate::kernels::matching::regions::{
    Part, centers_of_tiles, keep_transforms, put_moments, replace_moments, transform_at,
};
use crate::kernels::memory::layout::{CONSTANTS, Layout};
use crate::kernels::memory::tiles::TOGETHER;
use crate::kernels::vector::pack::{Numbers, Pack, packs, packs_mut};
use crate::kernels::windows::along_z::{AlongZ, goals_group_size, group_size};
use crate::kernels::windows::folded::{ALONG_Z, Folded, Stack};

/// Sums of a particle along z: `m̃ x` and its ramps.
pub(crate) const FIELD: usize = TOGETHER * ALONG_Z;

/// What windows at constant cost need in addition.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sliding {
    folded: Folded,
    /// sums along z of a group of slabs: of what goes in, and of what comes back
    first: Numbers,
    second: Numbers,
}

impl Sliding {
    /// Room for `first` and `second` channels.
    pub fn new(layout: &Layout, first: usize, second: usize) -> Self {
        let group = group_size(layout.half_width);
        Self {
            first: Numbers::zeros(group * first * layout.plane),
            second: Numbers::zeros(group * second * layout.plane),
            folded: (layout.orientation())
                .map_or_else(Folded::default, |o| Folded::new(o.fold, layout.half_width)),
        }
    }
}

/// What [`crate::kernels::dense::short_goals::goals`] does, for any half-width.
#[inline(always)]
pub(crate) fn long_goals<S: Simd>(simd: S, slabs: Slabs<'_>) {
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
    let plane = layout.plane;
    let (nz, w, slots) = (layout.slabs, layout.half_width, layout.ring_slabs());
    let fits = range.start.saturating_sub(w)..(range.end + w).min(nz);
    let Workspace {
        second,
        moments: regions,
        spare,
        sliding,
        ..
    } = workspace;
    let Sliding {
        folded,
        first: sums,
        ..
    } = sliding;
    let (group, goals_group) = (group_size(w), goals_group_size(w));
    let triples = layout.triples();
    for fit in fits.start..range.end + w {
        if fits.contains(&fit) {
            if fit == fits.start || fit % group == 0 {
                let end = (fit / group + 1) * group;
                let along_z = AlongZ::new(layout, group, fit..end.min(fits.end));
                let work = MomentsAlongZ {
                    along_z,
                    layout,
                    fields: [constants, positions],
                    sums,
                };
                apart(simd, work);
            }
            let from = &sums[fit % group * FIELD * plane..];
            apart(simd, MomentsAlongX { folded, from });
            let constants = &constants[fit * CONSTANTS * plane..][..CONSTANTS * plane];
            let old = &rotations[fit * 4 * plane..][..4 * plane];
            let own = range.contains(&fit);
            let new = if own {
                &mut turned[(fit - range.start) * 4 * plane..][..4 * plane]
            } else {
                &mut spare[..]
            };
            let fold = folded.fold();
            // others need all moments and transforms of a slab
            let together = if irregular.is_some() || cracks.is_some() {
                fold.sites[0]
            } else {
                fold.group().min(fold.sites[0])
            };
            for first in (0..fold.sites[0]).step_by(together) {
                let columns = first..(first + together).min(fold.sites[0]);
                let part = Part {
                    plane,
                    at: first * fold.column(),
                    count: columns.len() * fold.column(),
                };
                let work = MomentsAlongY {
                    folded,
                    columns: &columns,
                    moments: regions,
                };
                apart(simd, work);
                if let Some(irregular) = &irregular {
                    replace_moments(irregular, fit, layout.moments(), regions);
                }
                if let Some(cracks) = cracks {
                    let places = layout.moments();
                    cracks.replace(fit, |group, at| put_moments(group, at, places, regions));
                }
                if own && !centers.is_empty() {
                    let out = &mut centers[(fit - range.start) * 3 * plane..][..3 * plane];
                    centers_of_tiles(simd, part, constants, regions, out);
                }
                let work = MatchTiles {
                    part,
                    constants,
                    rotations: (old, new),
                    regions,
                    triples,
                };
                apart(simd, work);
                let firmness = firmness_of(firmness, fit, plane);
                weigh_tiles(part, firmness, fold.lanes(), regions);
                let work = TransformsAlongY {
                    folded,
                    columns: &columns,
                    transforms: regions,
                };
                apart(simd, work);
            }
            if let Some(irregular) = irregular.filter(|_| own) {
                let before = irregular.source_starts[range.start] as usize;
                let places = layout.transforms();
                keep_transforms(&irregular, fit, places, regions, before, values);
            }
            if let Some(cracks) = cracks.filter(|_| own) {
                let said = &mut said[(fit - range.start) * plane..][..plane];
                cracks.keep(fit, said, |at| {
                    transform_at(layout.transforms(), regions, at)
                });
            }
            let slot = (fit % slots) * SECOND * plane;
            let to = &mut second[slot..];
            apart(simd, TransformsAlongX { folded, to });
        }
        let Some(goal) = fit.checked_sub(w).filter(|goal| range.contains(goal)) else {
            continue;
        };
        if (goal + 1) % goals_group == 0 || goal + 1 == range.end {
            let first = (goal / goals_group * goals_group).max(range.start);
            let along_z = AlongZ::new(layout, goals_group, first..goal + 1);
            let out = &mut offsets[(first - range.start) * 3 * plane..];
            let work = GoalsAlongZ {
                along_z,
                layout,
                ring: second,
                fields: [constants, positions],
                out,
            };
            apart(simd, work);
        }
    }
}

/// What [`crate::kernels::dense::short_smooth::smooth`] does, for any half-width.
#[inline(always)]
pub(crate) fn long_smooth<S: Simd>(simd: S, slabs: SmoothSlabs<'_>) {
    let SmoothSlabs {
        layout,
        constants,
        firmness,
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
            let to = Stack {
                numbers: &mut sums[..],
                step: plane,
            };
            folded.sum_to_planes::<S, { SUMS / TOGETHER }>(simd, first, to);
            if let Some(irregular) = &irregular {
                replace_sums(irregular, fit, plane, sums);
            }
            if let Some(cracks) = cracks {
                cracks.replace(fit, |group, at| put_sums(group, at, plane, sums));
            }
            let constants = &constants[fit * CONSTANTS * plane..][..CONSTANTS * plane];
            let centers = &centers[fit * 3 * plane..][..3 * plane];
            rigid_velocities(simd, layout, constants, centers, sums, rigid);
            let firmness = firmness_of(firmness, fit, plane);
            weigh(layout, firmness, RIGID, rigid);
            if let Some(irregular) = irregular.filter(|_| range.contains(&fit)) {
                let before = irregular.source_starts[range.start] as usize;
                keep_rigid(&irregular, fit, layout, rigid, before, values);
            }
            if let Some(cracks) = cracks.filter(|_| range.contains(&fit)) {
                let said = &mut said[(fit - range.start) * plane..][..plane];
                cracks.keep(fit, said, |at| rigid_at(layout, rigid, at));
            }
            let slot = (fit % slots) * RIGID * plane;
            let from = Stack {
                numbers: &rigid[..],
                step: plane,
            };
            let to = &mut second[slot..];
            folded.sum_from_planes::<S, { RIGID / TOGETHER }>(simd, from, to);
        }
        let Some(goal) = fit.checked_sub(w).filter(|goal| range.contains(goal)) else {
            continue;
        };
        if (goal + 1) % group != 0 && goal + 1 != range.end {
            continue;
        }
        let wanted = (goal / group * group).max(range.start)..goal + 1;
        AlongZ::new(layout, group, wanted.clone()).rigid(simd, layout, second, back);
        for z in wanted {
            let at = (
                &positions[z * 3 * plane..][..3 * plane],
                &velocities[z * 3 * plane..][..3 * plane],
            );
            let inverse = &constants[(z * CONSTANTS + 5) * plane..][..plane];
            let back = &back[z % group * RIGID * plane..];
            let out = &mut changes[(z - range.start) * 3 * plane..][..3 * plane];
            changes_from(simd, plane, inverse, at, back, out);
        }
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
