//! A world at one instant, to go back to.

use pliant_core::boundary::NodalLoad;
use pliant_core::contact::{ContactTracker, Grab, Pose, Tool};
use pliant_core::mesh::SurfaceFrame;
use pliant_core::model::{SnapshotMismatch, StateSnapshot};

use super::output::FrameOutput;
use super::state::World;

/// A world at one instant: the state of its model, of its contacts and of its tools.
#[derive(Debug, Clone)]
pub struct WorldSnapshot {
    state: StateSnapshot,
    frame: SurfaceFrame,
    tracker: ContactTracker,
    tools: Vec<Tool>,
    grabs: Vec<Grab>,
    poses: Vec<Option<Pose>>,
    loads: Vec<NodalLoad>,
    index: u64,
    output: FrameOutput,
}

impl WorldSnapshot {
    /// Memory that it takes, bytes, about: the state, the skin and the forces on it, which are nearly all of it.
    pub fn bytes(&self) -> usize {
        let skin = |frame: &SurfaceFrame| 12 * (frame.positions.len() + frame.normals.len());
        let cut = self.frame.cut.as_ref().map_or(0, |cut| skin(&cut.frame));
        // the tracker remembers the positions of the last update
        let tracker = 12 * self.frame.positions.len();
        let forces = size_of_val(self.output.vertex_forces.as_slice());
        8 * self.state.values.len() + skin(&self.frame) + cut + tracker + forces
    }
}

impl World {
    /// Everything that changes from frame to frame, but for a budget in processor time.
    pub fn snapshot(&self) -> WorldSnapshot {
        WorldSnapshot {
            state: self.model.snapshot(),
            frame: self.frame.clone(),
            tracker: self.tracker.clone(),
            tools: self.tools.clone(),
            grabs: self.grabs.clone(),
            poses: self.poses.clone(),
            loads: self.loads.clone(),
            index: self.index,
            output: self.output.clone(),
        }
    }

    /// Back to a snapshot; the same interactions then give the same bits.
    ///
    /// # Errors
    /// [`SnapshotMismatch`] where it was taken of another kind or size of model, or has another number of tools; nothing has changed then.
    pub fn restore(&mut self, snapshot: &WorldSnapshot) -> Result<(), SnapshotMismatch> {
        if snapshot.tools.len() != self.tools.len() {
            return Err(SnapshotMismatch);
        }
        // before the state, which a change of parameters may touch; the next frame tells of a value that is refused
        let _ = self.update_parameters(snapshot.index);
        if let Err(mismatch) = self.model.restore(&snapshot.state) {
            let _ = self.update_parameters(self.index);
            return Err(mismatch);
        }
        self.frame.clone_from(&snapshot.frame);
        self.tracker.clone_from(&snapshot.tracker);
        self.tools.clone_from(&snapshot.tools);
        self.grabs.clone_from(&snapshot.grabs);
        self.poses.clone_from(&snapshot.poses);
        self.loads.clone_from(&snapshot.loads);
        self.index = snapshot.index;
        self.output.clone_from(&snapshot.output);
        Ok(())
    }
}
