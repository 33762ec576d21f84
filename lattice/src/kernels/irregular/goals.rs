//! Goals without window sums: bodies that are lists of regions, regions that are not boxes, and regions that broken links have changed.

use pulp::{Simd, WithSimd};
use rayon::prelude::*;

use crate::kernels::body::kernel::Kernel;
use crate::kernels::body::state::State;
use crate::kernels::body::stiffness_weights::{StiffnessWeights, apply_weights, weights_of_slab};
use crate::kernels::dense::goal_slabs::Workspace;
use crate::kernels::irregular::changed_regions::{ChangedRegions, add_goal};
use crate::kernels::irregular::exchange::{transform_at, write_moments};
use crate::kernels::irregular::group::Group;
use crate::kernels::irregular::irregular_part::IrregularPart;
use crate::kernels::irregular::listed::Listed;
use crate::kernels::irregular::pieces::{Places, Weighting};
use crate::kernels::matching::regions::{centers_of, match_regions};
use crate::kernels::memory::channels::{CONSTANTS, INVERSE_COUNT, TRANSFORM};
use crate::kernels::memory::layout::{Layout, Part};

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
        let work = |slab: usize,
                    [new, centers]: [&mut [f32]; 2],
                    values: &mut [Group],
                    workspace: &mut Workspace| {
            level.run(MatchList {
                layout,
                constants: &constants[slab * CONSTANTS * plane..][..CONSTANTS * plane],
                weights: weights_of_slab(weights, slab, plane),
                listed,
                changed_regions,
                slab,
                old: &old[slab * 4 * plane..][..4 * plane],
                new,
                centers,
                values,
                workspace,
            });
        };
        let (rotated, centers) = (&mut state.rotated, &mut state.centers);
        if self.parallel {
            let planes = rotated.par_chunks_mut(4 * plane);
            planes
                .zip(centers.par_chunks_mut(3 * plane))
                .zip(part.values.par_chunks_mut(plane))
                .zip(&mut self.workspaces)
                .enumerate()
                .for_each(|(slab, (((new, centers), values), workspace))| {
                    work(slab, [new, centers], values, workspace);
                });
        } else {
            let planes = rotated.chunks_mut(4 * plane);
            planes
                .zip(centers.chunks_mut(3 * plane))
                .zip(part.values.chunks_mut(plane))
                .zip(&mut self.workspaces)
                .enumerate()
                .for_each(|(slab, (((new, centers), values), workspace))| {
                    work(slab, [new, centers], values, workspace);
                });
        }
    }

    /// Goal minus position of the particles whose regions are separate.
    pub(crate) fn offsets_of_separate_regions(&mut self, state: &mut State) {
        let (plane, positions) = (self.layout.plane, &state.positions);
        let offsets = &mut state.offsets;
        self.finish_separate_regions(Places, add_goal, |(slab, at), share, sum| {
            for (c, goal) in sum[0][..3].iter().enumerate() {
                let at = (slab * 3 + c) * plane + at;
                offsets[at] = goal * share - positions[at];
            }
        });
    }

    /// Sums the contributions of the regions of each particle whose region is not a box or has changed, by `weighting` and `term`. Calls `write` with slab and place of the particle, one over the number of
    /// its regions, and the sum.
    pub(crate) fn finish_separate_regions(
        &mut self,
        weighting: impl Weighting,
        term: impl Fn(&mut Group, &Group, [f32; 3]) + Sync,
        mut write: impl FnMut((usize, usize), f32, &Group),
    ) {
        let (plane, constants) = (self.layout.plane, &self.constants);
        let mut write = |slab: usize, at: usize, sum: &Group| {
            let share = constants[(slab * CONSTANTS + INVERSE_COUNT) * plane + at];
            write((slab, at), share, sum);
        };
        if let Some(part) = self.irregular.as_deref_mut() {
            part.listed.prepare(&part.values, weighting);
            part.listed.sums(weighting, &mut part.sums);
            let (starts, places) = (&part.target_starts, &part.target_places);
            IrregularPart::for_each_entry(starts, places, 0, &mut part.sums, |slab, at, sum| {
                write(slab, at, sum);
            });
        }
        if let Some(changed_regions) = &mut self.changed_regions {
            let listed = self.irregular.as_ref().map_or(&[][..], |part| &part.values);
            changed_regions.sum_contributions(listed, term, write);
        }
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
    centers: &'a mut [f32],
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
            write_moments(&sum, at, places, moments);
        }
        if let Some(changed_regions) = self.changed_regions {
            changed_regions.replace(self.slab, |sum, at| write_moments(sum, at, places, moments));
        }
        match_regions(
            simd,
            self.layout,
            self.constants,
            moments,
            (self.old, self.new),
            transforms,
        );
        let part = Part::whole(self.layout);
        centers_of(simd, part, self.constants, moments, self.centers);
        apply_weights(self.layout, self.weights, TRANSFORM, transforms);
        for (at, out) in self.values.iter_mut().enumerate() {
            *out = transform_at(self.layout.transforms(), transforms, at);
        }
    }
}
