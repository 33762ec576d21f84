//! Goals of what no window covers: bodies that are a list of regions, regions that are not boxes, and regions that breaks have changed.

use pulp::{Simd, WithSimd};
use rayon::prelude::*;

use crate::kernels::body::kernel::Kernel;
use crate::kernels::body::state::State;
use crate::kernels::body::stiffness_weights::{StiffnessWeights, weigh, weights_of_slab};
use crate::kernels::dense::goal_slabs::Workspace;
use crate::kernels::irregular::changed_regions::ChangedRegions;
use crate::kernels::irregular::exchange::{put_moments, transform_at};
use crate::kernels::irregular::group::Group;
use crate::kernels::irregular::irregular_part::IrregularPart;
use crate::kernels::irregular::listed::{Listed, Weights};
use crate::kernels::matching::regions::{centers_of, match_regions};
use crate::kernels::memory::channels::{CONSTANTS, TRANSFORM};
use crate::kernels::memory::layout::Layout;
use crate::kernels::memory::part::Part;

impl Kernel {
    /// Matches all regions of a list.
    pub(crate) fn match_list(&mut self, state: &mut State) {
        let Some(part) = &mut self.irregular else {
            return;
        };
        while self.workspaces.len() < self.layout.slabs {
            self.workspaces.push(Workspace::new(&self.layout));
        }
        let (level, layout, constants) = (self.level, &self.layout, &self.constants);
        let weights = StiffnessWeights::planes(self.stiffness_weights.as_deref());
        let plane = layout.plane;
        let listed = &part.listed;
        let changed_regions = self.changed_regions.as_deref();
        let old = &state.rotations;
        let work =
            |slab: usize, new: &mut [f32], values: &mut [Group], workspace: &mut Workspace| {
                level.run(MatchList {
                    layout,
                    constants: &constants[slab * CONSTANTS * plane..][..CONSTANTS * plane],
                    weights: weights_of_slab(weights, slab, plane),
                    listed,
                    changed_regions,
                    slab,
                    old: &old[slab * 4 * plane..][..4 * plane],
                    new,
                    values,
                    workspace,
                });
            };
        if self.parallel {
            state
                .rotated
                .par_chunks_mut(4 * plane)
                .zip(part.values.par_chunks_mut(plane))
                .zip(&mut self.workspaces)
                .enumerate()
                .for_each(|(slab, ((new, values), workspace))| work(slab, new, values, workspace));
        } else {
            for (slab, ((new, values), workspace)) in state
                .rotated
                .chunks_mut(4 * plane)
                .zip(part.values.chunks_mut(plane))
                .zip(&mut self.workspaces)
                .enumerate()
            {
                work(slab, new, values, workspace);
            }
        }
        if !state.centers.is_empty() {
            for (slab, (out, workspace)) in state
                .centers
                .chunks_exact_mut(3 * plane)
                .zip(&self.workspaces)
                .enumerate()
            {
                level.run(Centers {
                    layout,
                    constants: &constants[slab * CONSTANTS * plane..][..CONSTANTS * plane],
                    moments: &workspace.moments,
                    out,
                });
            }
        }
    }

    /// Goals of the targets, from what the sources say.
    pub(crate) fn goals_of_irregular(&mut self, state: &mut State) {
        let Some(part) = &mut self.irregular else {
            return;
        };
        let part = &mut **part;
        part.listed.prepare(&part.values, Weights::Places);
        part.listed.sums(Weights::Places, &mut part.sums);
        let plane = self.layout.plane;
        let (starts, places) = (&part.target_starts, &part.target_places);
        let (
            constants,
            State {
                positions, offsets, ..
            },
        ) = (&self.constants, state);
        IrregularPart::each(starts, places, 0, &mut part.sums, |_, slab, at, sum| {
            let share = constants[(slab * CONSTANTS + 5) * plane + at];
            for (c, goal) in sum[0][..3].iter().enumerate() {
                let at = (slab * 3 + c) * plane + at;
                offsets[at] = goal * share - positions[at];
            }
        });
    }
    /// Goals of the particles whose regions changed.
    pub(crate) fn goals_of_changed_regions(&mut self, state: &mut State) {
        let Some(changed_regions) = &mut self.changed_regions else {
            return;
        };
        let listed = self.irregular.as_ref().map_or(&[][..], |part| &part.values);
        let (plane, constants) = (self.layout.plane, &self.constants);
        let State {
            positions, offsets, ..
        } = state;
        changed_regions.goals(listed, |slab, at, goal| {
            let share = constants[(slab * CONSTANTS + 5) * plane + at];
            for (c, goal) in goal.iter().enumerate() {
                let at = (slab * 3 + c) * plane + at;
                offsets[at] = goal * share - positions[at];
            }
        });
    }
}

struct MatchList<'a> {
    layout: &'a Layout,
    constants: &'a [f32],
    weights: &'a [f32],
    listed: &'a Listed,
    changed_regions: Option<&'a ChangedRegions>,
    slab: usize,
    old: &'a [f32],
    new: &'a mut [f32],
    values: &'a mut [Group],
    workspace: &'a mut Workspace,
}

impl WithSimd for MatchList<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let plane = self.layout.plane;
        let Workspace {
            moments,
            transforms,
            ..
        } = self.workspace;
        let places = self.layout.moments();
        for at in 0..self.values.len() {
            let sum = self.listed.moments(simd, self.slab * plane + at);
            put_moments(&sum, at, places, moments);
        }
        if let Some(changed_regions) = self.changed_regions {
            changed_regions.replace(self.slab, |sum, at| put_moments(sum, at, places, moments));
        }
        match_regions(
            simd,
            self.layout,
            self.constants,
            moments,
            (self.old, self.new),
            transforms,
        );
        weigh(self.layout, self.weights, TRANSFORM, transforms);
        for (at, out) in self.values.iter_mut().enumerate() {
            *out = transform_at(self.layout.transforms(), transforms, at);
        }
    }
}

struct Centers<'a> {
    layout: &'a Layout,
    constants: &'a [f32],
    moments: &'a [f32],
    out: &'a mut [f32],
}

impl WithSimd for Centers<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let part = Part::whole(self.layout);
        centers_of(simd, part, self.constants, self.moments, self.out);
    }
}
