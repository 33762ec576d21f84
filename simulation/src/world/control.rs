//! What a program does to a world beside the one pointer of [`Interaction`](super::Interaction): poses of any tool, forces, snapshots.

use pliant_core::boundary::NodalLoad;
use pliant_core::contact::{ContactTracker, Grab, Pose, Tool};
use pliant_core::mesh::SurfaceFrame;
use pliant_core::model::{SnapshotMismatch, StateSnapshot};

use super::{FrameOutput, World};

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

    /// The forces of the frame that begins; the next has none unless they are given again.
    pub(super) fn take_loads(&mut self) -> impl Iterator<Item = NodalLoad> + use<'_> {
        self.loads.drain(..)
    }
}

/// A world at one instant: the state of its model, of its contacts and of its tools.
#[derive(Debug, Clone)]
pub struct WorldSnapshot {
    state: StateSnapshot,
    frame: SurfaceFrame,
    tracker: ContactTracker,
    tools: Vec<Tool>,
    grabs: Vec<Grab>,
    control: Control,
    index: u64,
    output: FrameOutput,
}

impl World {
    /// Moves tool `k` to `pose` in the next frame and keeps it there, whatever its path says; `None` gives it back to its path. A number without a tool is ignored.
    pub fn pose_tool(&mut self, k: usize, pose: Option<Pose>) {
        if k < self.tools.len() {
            self.control.poses.resize(self.tools.len(), None);
            self.control.poses[k] = pose;
        }
    }

    /// Adds a force on a skin vertex, for the next frame only.
    pub fn add_load(&mut self, load: NodalLoad) {
        self.control.loads.push(load);
    }

    /// Everything that changes from frame to frame, but for a budget in processor time.
    pub fn snapshot(&self) -> WorldSnapshot {
        WorldSnapshot {
            state: self.model.snapshot(),
            frame: self.frame.clone(),
            tracker: self.tracker.clone(),
            tools: self.tools.clone(),
            grabs: self.grabs.clone(),
            control: self.control.clone(),
            index: self.index,
            output: self.output.clone(),
        }
    }

    /// Back to a snapshot; the same interactions then give the same bits.
    ///
    /// # Errors
    /// [`SnapshotMismatch`] where it was taken of another kind or size of model; nothing has changed then.
    pub fn restore(&mut self, snapshot: &WorldSnapshot) -> Result<(), SnapshotMismatch> {
        self.model.restore(&snapshot.state)?;
        self.frame.clone_from(&snapshot.frame);
        self.tracker.clone_from(&snapshot.tracker);
        self.tools.clone_from(&snapshot.tools);
        self.grabs.clone_from(&snapshot.grabs);
        self.control.clone_from(&snapshot.control);
        self.index = snapshot.index;
        self.output.clone_from(&snapshot.output);
        Ok(())
    }
}
