//! Goals and motions of particles from the contributions of regions that are not boxes and of those that broken links have changed.

use crate::kernels::body::kernel::Kernel;
use crate::kernels::body::state::State;
use crate::kernels::irregular::group::Group;
use crate::kernels::irregular::irregular_part::IrregularPart;
use crate::kernels::irregular::pieces::{Places, Weighting};
use crate::kernels::memory::channels::{CONSTANTS, INVERSE_COUNT};
use crate::numerics::parallel::fill;

impl Kernel {
    /// Goal minus position of the particles whose regions are separate.
    pub(crate) fn offsets_of_separate_regions(&mut self, state: &mut State) {
        let (plane, positions) = (self.layout.plane, &state.positions);
        let offsets = &mut state.offsets;
        self.finish_separate_regions(Places, |(slab, at), share, sum| {
            for (c, goal) in sum[0][..3].iter().enumerate() {
                let at = (slab * 3 + c) * plane + at;
                offsets[at] = goal * share - positions[at];
            }
        });
    }

    /// Sums a field of the particles over the regions that are not boxes and over those that have changed. `field` gives the numbers of a particle from its share in one region and from the places of
    /// its three numbers in planes of vectors.
    pub(crate) fn sum_separate_regions(
        &mut self,
        weighting: impl Weighting,
        field: impl Fn(f32, [usize; 3]) -> Group + Sync,
    ) {
        let (plane, constants) = (self.layout.plane, &self.constants);
        let field = |slab: usize, at: usize| {
            let share = constants[slab * CONSTANTS * plane + at];
            field(share, [0, 1, 2].map(|c| (slab * 3 + c) * plane + at))
        };
        if let Some(part) = self.irregular.as_deref_mut() {
            fill(self.parallel, &mut part.field, |start, fields| {
                let (starts, places) = (&part.source_starts, &part.source_places);
                IrregularPart::for_each_entry(starts, places, start, fields, |slab, at, out| {
                    *out = field(slab, at);
                });
            });
            part.listed.sum(&part.field, weighting, &mut part.sums);
        }
        if let Some(changed_regions) = &mut self.changed_regions {
            changed_regions.sum(weighting, field);
        }
    }

    /// Sums the contributions of the regions of each particle whose region is not a box or has changed. Calls `write` with slab and place of the particle, one over the number of
    /// its regions, and the sum.
    pub(crate) fn finish_separate_regions(
        &mut self,
        weighting: impl Weighting,
        mut write: impl FnMut((usize, usize), f32, &Group),
    ) {
        let (plane, constants) = (self.layout.plane, &self.constants);
        let mut write = |slab: usize, at: usize, sum: &Group| {
            let share = constants[(slab * CONSTANTS + INVERSE_COUNT) * plane + at];
            write((slab, at), share, sum);
        };
        if let Some(part) = self.irregular.as_deref_mut() {
            part.listed.sum(&self.values, weighting, &mut part.sums);
            let (starts, places) = (&part.target_starts, &part.target_places);
            IrregularPart::for_each_entry(starts, places, 0, &mut part.sums, |slab, at, sum| {
                write(slab, at, sum);
            });
        }
        if let Some(changed_regions) = &mut self.changed_regions {
            // in a list the number of a source is its place
            let contributions: &[Group] = match self.layout.is_list() {
                true => &self.values,
                false => &self.contributions,
            };
            changed_regions.sum_contributions(contributions, weighting, write);
        }
    }
}
