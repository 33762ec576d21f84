//! The handle of a simulation thread.

use std::thread::JoinHandle;

use crossbeam_channel::{Sender, unbounded};
use pliant_core::scene::Method;

use super::command::Command;
use super::simulation::Simulation;
use super::snapshot::{PaneSnapshot, WorldSnapshot};
use crate::cache::AssetCache;
use crate::handover::{HandoverReader, handover};
use crate::servo::PointerPlace;
use crate::world::pace::ProcessorClock;

/// Handle to a running simulation thread. Dropping it ends the thread and cancels bakes.
pub struct Runner {
    commands: Sender<Command>,
    snapshots: HandoverReader<WorldSnapshot>,
    pointer: PointerPlace,
    thread: Option<JoinHandle<()>>,
}

impl Runner {
    /// Starts the thread, which waits for [`Command::Open`]. `wake` is called after every new snapshot, for repainting. With a `clock` the budget of the
    /// adaptive method's cut is processor time, otherwise work units of a nominal machine.
    pub fn spawn(
        cache: AssetCache,
        clock: Option<ProcessorClock>,
        wake: impl Fn() + Send + 'static,
    ) -> Self {
        let (commands, inbox) = unbounded();
        let (writer, snapshots) = handover(WorldSnapshot {
            panes: Method::ALL.map(PaneSnapshot::waiting).to_vec(),
            speed: 1.0,
            ..WorldSnapshot::default()
        });
        let pointer = PointerPlace::default();
        let place = pointer.clone();
        let thread = std::thread::Builder::new()
            .name("simulation".into())
            .spawn(move || {
                Simulation::new(cache, clock, inbox, writer, place, Box::new(wake)).run();
            })
            .ok();
        Self {
            pointer,
            commands,
            snapshots,
            thread,
        }
    }

    /// Sends a command; it is carried out between frames.
    pub fn send(&self, command: Command) {
        // force feedback does not wait for the next frame
        if let Command::MoveTool(place) = &command {
            self.pointer.set(*place);
        }
        // the thread outlives the handle: sending fails only while the program shuts down
        let _ = self.commands.send(command);
    }

    /// Takes over the newest snapshot; whether there was a new one.
    pub fn update(&mut self) -> bool {
        self.snapshots.update()
    }

    /// The snapshot taken over last.
    pub fn snapshot(&self) -> &WorldSnapshot {
        self.snapshots.value()
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        self.send(Command::Quit);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
