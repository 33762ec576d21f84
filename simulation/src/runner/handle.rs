//! The handle of a simulation: on a thread of its own, or between the frames of a window.

use std::thread::JoinHandle;

use crossbeam_channel::{Sender, unbounded};
use pliant_core::scene::Method;

use super::background::Threads;
use super::command::Command;
use super::simulation::Simulation;
use super::snapshot::{PaneSnapshot, WorldSnapshot};
use crate::cache::AssetCache;
use crate::handover::{HandoverReader, handover};
use crate::servo::PointerPlace;
use crate::world::pace::ProcessorClock;

/// Handle to a running simulation. Dropping it ends the simulation and cancels bakes.
pub struct Runner {
    commands: Sender<Command>,
    snapshots: HandoverReader<WorldSnapshot>,
    pointer: PointerPlace,
    course: Course,
}

/// Where a simulation is computed.
enum Course {
    /// on a thread, if one could be started
    Thread(Option<JoinHandle<()>>),
    /// by [`Runner::update`]
    Between(Box<Simulation>),
}

impl Runner {
    /// Starts a thread, which waits for [`Command::Open`]. `wake` is called after every new snapshot, for repainting. With a `clock` the budget of the
    /// adaptive method's cut is processor time, otherwise work units of a nominal machine.
    pub fn spawn(
        cache: AssetCache,
        clock: Option<ProcessorClock>,
        wake: impl Fn() + Send + 'static,
    ) -> Self {
        let (mut runner, simulation) = Self::prepared(cache, clock, wake);
        runner.course = Course::Thread(
            std::thread::Builder::new()
                .name("simulation".into())
                .spawn(move || simulation.run())
                .ok(),
        );
        runner
    }

    /// The same where there are no threads, as in a browser: [`Runner::update`] carries out commands, bakes one method or steps one frame a call. Call it once a
    /// frame of the window. There is no reference, no advice and no force feedback. Budgets count work units.
    pub fn without_threads(cache: AssetCache, wake: impl Fn() + Send + 'static) -> Self {
        let (mut runner, mut simulation) = Self::prepared(cache, None, wake);
        simulation.threads = Threads::Shared;
        runner.course = Course::Between(Box::new(simulation));
        runner
    }

    fn prepared(
        cache: AssetCache,
        clock: Option<ProcessorClock>,
        wake: impl Fn() + Send + 'static,
    ) -> (Self, Simulation) {
        let (commands, inbox) = unbounded();
        let (writer, snapshots) = handover(WorldSnapshot {
            panes: Method::ALL.map(PaneSnapshot::waiting).to_vec(),
            speed: 1.0,
            ..WorldSnapshot::default()
        });
        let pointer = PointerPlace::default();
        let place = pointer.clone();
        let simulation = Simulation::new(cache, clock, inbox, writer, place, Box::new(wake));
        let runner = Self {
            pointer,
            commands,
            snapshots,
            course: Course::Thread(None),
        };
        (runner, simulation)
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

    /// Takes over the newest snapshot; whether there was a new one. Without threads, computes it first.
    pub fn update(&mut self) -> bool {
        if let Course::Between(simulation) = &mut self.course
            && simulation.turn_with_bakes()
        {
            (simulation.wake)();
        }
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
        if let Course::Thread(thread) = &mut self.course
            && let Some(thread) = thread.take()
        {
            let _ = thread.join();
        }
    }
}
