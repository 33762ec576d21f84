//! Goals of a dense lattice at a cost that does not depend on the half-width: the pipeline of [`crate::kernels::dense::short_goals`] with the windows of
//! [`crate::kernels::windows::along_z`] and [`crate::kernels::windows::folded`].
//!
//! ```text
//! slabs z − w .. z + w   m̃ x → windows along z → windows along x, y → rotation, τ → windows along y, x → ring
//! slab z − w             ring → windows along z → mean → goal minus position
//! ```
//! For sums over particles windows along z come first, because they read positions and need no ring. For sums of the contributions of
//! regions they come last. Both process a group of slabs at once.

use pulp::{Simd, WithSimd};

use crate::kernels::body::stiffness_weights::{apply_weights_to_tiles, weights_of_slab};
use crate::kernels::dense::goal_slabs::{Slabs, Workspace};
use crate::kernels::dense::sliding::Sliding;
use crate::kernels::dense::stages::{
    GoalsAlongZ, MatchTiles, MomentsAlongX, MomentsAlongY, MomentsAlongZ, TransformsAlongX,
    TransformsAlongY, run_out_of_line, stage,
};
use crate::kernels::irregular::exchange::{SeparateRegions, transform_at, write_moments};
use crate::kernels::matching::regions::centers_of_tiles;
use crate::kernels::memory::channels::{CONSTANTS, FIELD, SECOND_RING_CHANNELS};
use crate::kernels::memory::layout::{Layout, Part};
use crate::kernels::memory::slab_groups::{goals_group_size, group_size};
use crate::kernels::windows::along_z::groups::AlongZ;
use crate::kernels::windows::folded::Folded;

/// The same as [`crate::kernels::dense::short_goals::goals`], for any half-width.
#[inline(always)]
pub(crate) fn long_goals<S: Simd>(simd: S, slabs: Slabs<'_>) {
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
                run_out_of_line(simd, work);
            }
            let from = &sums[fit % group * FIELD * plane..];
            run_out_of_line(simd, MomentsAlongX { folded, from });
            let constants = &constants[fit * CONSTANTS * plane..][..CONSTANTS * plane];
            let own = range.contains(&fit);
            let (new, centers) = if own {
                let at = fit - range.start;
                let centers = &mut centers[at * 3 * plane..][..3 * plane];
                (&mut rotated[at * 4 * plane..][..4 * plane], Some(centers))
            } else {
                (&mut spare[..], None)
            };
            let of_slab = SlabRegions {
                layout,
                slab: fit,
                constants,
                weights: weights_of_slab(weights, fit, plane),
                rotations: (&rotations[fit * 4 * plane..][..4 * plane], new),
                centers,
                separate,
            };
            of_slab.match_columns(simd, folded, regions);
            if own {
                let out = [&mut *contributions, &mut *values];
                separate.store((fit, range.start), plane, out, |at| {
                    transform_at(layout.transforms(), regions, at)
                });
            }
            let slot = (fit % slots) * SECOND_RING_CHANNELS * plane;
            let to = &mut second[slot..];
            run_out_of_line(simd, TransformsAlongX { folded, to });
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
            run_out_of_line(simd, work);
        }
    }
}

/// The regions of one slab.
struct SlabRegions<'a> {
    layout: &'a Layout,
    slab: usize,
    constants: &'a [f32],
    weights: &'a [f32],
    /// before and after
    rotations: (&'a [f32], &'a mut [f32]),
    /// to be written; none for a slab of a neighbour's range
    centers: Option<&'a mut [f32]>,
    separate: SeparateRegions<'a>,
}

impl SlabRegions<'_> {
    /// Matches the regions, a few columns of tiles at a time: from sums along x in `folded` to sums of transforms along y. `regions` has their moments, then
    /// their transforms.
    #[inline(always)]
    fn match_columns<S: Simd>(self, simd: S, folded: &mut Folded, regions: &mut [f32]) {
        let Self {
            layout,
            slab,
            constants,
            weights,
            rotations: (old, new),
            mut centers,
            separate,
        } = self;
        let (fold, triples) = (folded.fold(), layout.triples());
        // separate regions need all moments and transforms of a slab
        let together = if separate.is_any() {
            fold.sites[0]
        } else {
            fold.group().min(fold.sites[0])
        };
        for first in (0..fold.sites[0]).step_by(together) {
            let columns = first..(first + together).min(fold.sites[0]);
            let part = Part {
                plane: layout.plane,
                at: first * fold.column(),
                count: columns.len() * fold.column(),
            };
            let work = MomentsAlongY {
                folded,
                columns: &columns,
                moments: regions,
            };
            run_out_of_line(simd, work);
            separate.replace(slab, |group, at| {
                write_moments(group, at, layout.moments(), regions);
            });
            if let Some(centers) = centers.as_deref_mut() {
                centers_of_tiles(simd, part, constants, regions, centers);
            }
            let work = MatchTiles {
                part,
                constants,
                rotations: (old, &mut *new),
                regions,
                triples,
            };
            run_out_of_line(simd, work);
            apply_weights_to_tiles(part, weights, fold.lanes(), regions);
            let work = TransformsAlongY {
                folded,
                columns: &columns,
                transforms: regions,
            };
            run_out_of_line(simd, work);
        }
    }
}

/// [`long_goals`].
pub(crate) struct LongGoals<'a>(pub Slabs<'a>);

stage!(LongGoals, self, simd => long_goals(simd, self.0));
