//! Dividing slabs among threads.

use std::ops::Range;

use crate::kernels::irregular::group::Group;

/// Slabs to work on, and their outputs.
pub(crate) struct SlabPart<'a> {
    pub range: Range<usize>,
    /// as many numbers for each slab; may be empty
    pub outputs: [&'a mut [f32]; 3],
    /// as many entries for each slab; may be empty
    pub contributions: &'a mut [Group],
    /// entries of the sources of these slabs
    pub values: &'a mut [Group],
    /// sources before each slab; empty if there are none
    pub source_starts: &'a [u32],
}

impl SlabPart<'_> {
    /// Divides the slabs into a part for each of `workspaces`, and calls `work` with these, on several threads.
    pub fn run<W: Send>(self, workspaces: &mut [W], work: &(impl Fn(SlabPart<'_>, &mut W) + Sync)) {
        let parts = workspaces.len();
        if let [workspace] = workspaces {
            work(self, workspace);
            return;
        }
        if parts == 0 || self.range.is_empty() {
            return;
        }
        let (first, count) = (self.range.start, self.range.len());
        let half = count * (parts / 2) / parts;
        let (workspaces, other_workspaces) = workspaces.split_at_mut(parts / 2);
        let at = |length: usize| length / count * half;
        let [(a, other_a), (b, other_b), (c, other_c)] =
            self.outputs.map(|out| out.split_at_mut(at(out.len())));
        let at_half = at(self.contributions.len());
        let (contributions, other_contributions) = self.contributions.split_at_mut(at_half);
        let starts = self.source_starts;
        let sources = match starts.get(first..=first + half) {
            Some([start, .., end]) => (end - start) as usize,
            _ => 0,
        };
        let (values, other_values) = self.values.split_at_mut(sources);
        let one = SlabPart {
            range: first..first + half,
            outputs: [a, b, c],
            contributions,
            values,
            source_starts: starts,
        };
        let other = SlabPart {
            range: first + half..first + count,
            outputs: [other_a, other_b, other_c],
            contributions: other_contributions,
            values: other_values,
            source_starts: starts,
        };
        rayon::join(
            || one.run(workspaces, work),
            || other.run(other_workspaces, work),
        );
    }
}
