//! What a program does to a world beside the one pointer of [`Interaction`](super::Interaction): poses of any tool, and forces.

use pliant_core::boundary::NodalLoad;
use pliant_core::contact::Pose;

/// Poses and forces that a program has set.
#[derive(Debug, Clone, Default)]
pub(super) struct Control {
    /// of each tool that the program has taken over
    poses: Vec<Option<Pose>>,
    /// of the next frame
    loads: Vec<NodalLoad>,
}

impl Control {
    /// Where tool `k` goes, if the program says.
    pub(super) fn pose(&self, k: usize) -> Option<Pose> {
        self.poses.get(k).copied().flatten()
    }

    /// Moves tool `k` of `tools` from the next frame on; `None` gives it back to its path. A number without a tool is ignored.
    pub(super) fn set_pose(&mut self, k: usize, tools: usize, pose: Option<Pose>) {
        if k < tools {
            self.poses.resize(tools, None);
            self.poses[k] = pose;
        }
    }

    /// Adds a force to the next frame.
    pub(super) fn add_load(&mut self, load: NodalLoad) {
        self.loads.push(load);
    }

    /// The forces of the frame that begins; the next has none unless they are given again.
    pub(super) fn take_loads(&mut self) -> impl Iterator<Item = NodalLoad> + use<'_> {
        self.loads.drain(..)
    }
}
