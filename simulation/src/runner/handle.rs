//! The handle of a simulation: on a thread of its own, or between the frames of a window.

use std::cell::Cell;
use std::thread::JoinHandle;

use crossbeam_channel::{Sender, unbounded};
use pliant_core::scene::Method;

use super::background::Threads;
use super::command::Command;
use super::simulation::Simulation;
use super::snapshot::{PaneSnapshot, WorldSnapshot};
use crate::cache::AssetCache;
use crate::servo::PointerPlace;
use crate::threads::handover::{HandoverReader, handover};
use crate::world::pace::ProcessorClock;

/// Handle to a running simulation. Dropping it ends the simulation and cancels bakes.
pub struct Runner {
    commands: Sender<Command>,
    snapshots: HandoverReader<WorldSnapshot>,
    pointer: PointerPlace,
    /// commands sent so far
    sent: Cell<u64>,
    execution: Execution,
}

/// How a simulation is executed.
enum Execution {
    /// on a thread, if one could be started
    Thread(Option<JoinHandle<()>>),
    /// by [`Runner::update`]
    BetweenFrames(Box<Simulation>),
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
        runner.execution = Execution::Thread(
            std::thread::Builder::new()
                .name("simulation".into())
                .spawn(move || simulation.run())
                .ok(),
        );
        runner
    }

    /// The same where there are no threads, as in a browser: [`Runner::update`] carries out commands, bakes one method or steps one frame a call. Call it once a
    /// frame of the window. There is no reference, no advice and no force feedback.
    pub fn without_threads(
        cache: AssetCache,
        clock: Option<ProcessorClock>,
        wake: impl Fn() + Send + 'static,
    ) -> Self {
        let (mut runner, mut simulation) = Self::prepared(cache, clock, wake);
        simulation.threads = Threads::Shared;
        runner.execution = Execution::BetweenFrames(Box::new(simulation));
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
            sent: Cell::new(0),
            execution: Execution::Thread(None),
        };
        (runner, simulation)
    }

    /// Sends a command; it is carried out between frames. Returns its number, from 1 on; [`WorldSnapshot::commands`] says up to which one frames have been simulated.
    pub fn send(&self, command: Command) -> u64 {
        // force feedback does not wait for the next frame
        if let Command::MoveTool(place) = &command {
            self.pointer.set(*place);
        }
        // the thread outlives the handle: sending fails only while the program shuts down
        let _ = self.commands.send(command);
        self.sent.update(|sent| sent + 1);
        self.sent.get()
    }

    /// Takes over the newest snapshot; whether there was a new one. Without threads, computes it first.
    pub fn update(&mut self) -> bool {
        if let Execution::BetweenFrames(simulation) = &mut self.execution
            && simulation.run_cycle_with_bakes()
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
        if let Execution::Thread(thread) = &mut self.execution
            && let Some(thread) = thread.take()
        {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::compare::advice::Goal;
    use crate::runner::snapshot::{AdviceStatus, PaneState, ReferenceStatus};
    use crate::scenes::ImportOptions;
    use crate::world::testing::{pad, prepared, scene_in, step, world_of};

    #[test]
    fn without_threads_methods_open_one_after_the_other_and_step_like_worlds() {
        const FRAMES: usize = 6;
        let folder = tempfile::tempdir().expect("a folder");
        let scene = pad(
            "duration = 0.2\nmethods = ['lattice', 'quasistatic']",
            "lattice = { cell = 0.05, half_width = 1 }\nquasistatic = { boundary = 60 }",
        );
        let scene = scene_in(folder.path(), &scene);
        let woken = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&woken);
        let mut runner = Runner::without_threads(AssetCache::disabled(), None, move || {
            counter.fetch_add(1, Ordering::Relaxed);
        });
        runner.send(Command::Open {
            source: scene.origin.clone().into(),
            import: ImportOptions::default(),
        });
        let mut seen = Vec::new();
        for _ in 0..20 {
            runner.update();
            let is_ready = |pane: &&PaneSnapshot| pane.state == PaneState::Ready;
            let ready = runner.snapshot().panes.iter().filter(is_ready).count();
            if seen.last() != Some(&ready) {
                seen.push(ready);
            }
        }
        assert_eq!(seen, [0, 1, 2], "one update bakes one method");
        assert!(matches!(
            runner.snapshot().reference,
            ReferenceStatus::Unavailable(_)
        ));
        let before = woken.load(Ordering::Relaxed);
        runner.update();
        assert_eq!(woken.load(Ordering::Relaxed), before, "nothing is to do");

        for _ in 0..FRAMES {
            runner.send(Command::Step);
            runner.update();
        }
        let setup = Arc::new(prepared(&scene));
        for pane in &runner.snapshot().panes[1..] {
            let mut world = world_of(&setup, pane.method);
            step(&mut world, FRAMES);
            assert_eq!(pane.frame.positions, world.frame().positions);
        }

        runner.send(Command::Advise(Goal::new(4.0, 0.05).expect("a goal")));
        runner.update();
        let AdviceStatus::Failed(fault) = &runner.snapshot().advice else {
            panic!("it would keep the only thread busy for minutes");
        };
        assert_eq!(fault.code, "NoThreads");
    }
}
