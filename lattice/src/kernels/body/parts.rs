//! Dividing slabs among threads.

use std::ops::Range;

use crate::kernels::irregular::group::Group;

/// Slabs to work on, their outputs, and a workspace for each part into which they are divided.
pub(crate) struct Parts<'a, W> {
    pub range: Range<usize>,
    /// as many numbers for each slab; may be empty
    pub outputs: [&'a mut [f32]; 3],
    /// as many entries for each slab; may be empty
    pub contributions: &'a mut [Group],
    /// entries of the sources of these slabs
    pub values: &'a mut [Group],
    /// sources before each slab; empty if there are none
    pub source_starts: &'a [u32],
    pub workspaces: &'a mut [W],
}

impl<'a, W: Send> Parts<'a, W> {
    /// The same with other workspaces.
    pub fn with<'b>(self, workspaces: &'b mut [W]) -> Parts<'b, W>
    where
        'a: 'b,
    {
        Parts { workspaces, ..self }
    }

    /// Calls `work` with a range, its outputs, contributions and values, once for each workspace, on several threads.
    pub fn run(
        self,
        work: &(impl Fn(Range<usize>, [&mut [f32]; 3], [&mut [Group]; 2], &mut W) + Sync),
    ) {
        let parts = self.workspaces.len();
        if let [workspace] = self.workspaces {
            work(
                self.range,
                self.outputs,
                [self.contributions, self.values],
                workspace,
            );
            return;
        }
        if parts == 0 || self.range.is_empty() {
            return;
        }
        let (first, count) = (self.range.start, self.range.len());
        let half = count * (parts / 2) / parts;
        let (workspaces, other_workspaces) = self.workspaces.split_at_mut(parts / 2);
        let [a, b, c] = self.outputs;
        let cut = |out: &[f32]| out.len() / count * half;
        let ((a, other_a), (b, other_b), (c, other_c)) = (
            a.split_at_mut(cut(a)),
            b.split_at_mut(cut(b)),
            c.split_at_mut(cut(c)),
        );
        let (contributions, other_contributions) = {
            let half = self.contributions.len() / count * half;
            self.contributions.split_at_mut(half)
        };
        let starts = self.source_starts;
        let sources = match starts.get(first..=first + half) {
            Some([start, .., end]) => (end - start) as usize,
            _ => 0,
        };
        let (values, other_values) = self.values.split_at_mut(sources);
        let one = Parts {
            range: first..first + half,
            outputs: [a, b, c],
            contributions,
            values,
            workspaces,
            ..self
        };
        let other = Parts {
            range: first + half..first + count,
            outputs: [other_a, other_b, other_c],
            contributions: other_contributions,
            values: other_values,
            workspaces: other_workspaces,
            source_starts: starts,
        };
        rayon::join(|| one.run(work), || other.run(work));
    }
}
