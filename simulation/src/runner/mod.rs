//! The simulation thread of a window: commands in, snapshots out, baking in the background.

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};
use pliant_core::mesh::SurfaceFrame;
use pliant_core::scene::Method;

use crate::bake_jobs::BakeJob;
use crate::cache::AssetCache;
use crate::clock::Clock;
use crate::command::Command;
use crate::handover::{HandoverReader, HandoverWriter, handover};
use crate::pace::ProcessorClock;
use crate::servo::{PointerPlace, PointerServo};
use crate::setup::Setup;
use crate::snapshot::{PaneSnapshot, PaneState, WorldSnapshot};
use crate::world::Interaction;

mod accuracy;
mod arrivals;
mod lane;
mod orders;
mod publish;

use accuracy::Watch;
use lane::Lane;

/// Handle to a running simulation thread. Dropping it ends the thread and cancels bakes.
pub struct Runner {
    commands: Sender<Command>,
    snapshots: HandoverReader<WorldSnapshot>,
    pointer: PointerPlace,
    thread: Option<JoinHandle<()>>,
}

impl Runner {
    /// Starts the thread; it waits for [`Command::Open`]. `wake` is called after every new snapshot, for repainting. With a `clock` the budget of the
    /// adaptive method's cut
    /// is processor time, otherwise work units of a nominal machine.
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
        // the thread outlives the handle, so that sending fails only while everything shuts down
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

struct Simulation {
    cache: AssetCache,
    processor: Option<ProcessorClock>,
    inbox: Receiver<Command>,
    writer: HandoverWriter<WorldSnapshot>,
    wake: Box<dyn Fn() + Send>,
    job: Option<BakeJob>,
    reference: Watch,
    setup: Option<Arc<Setup>>,
    rest: SurfaceFrame,
    lanes: Vec<Lane>,
    interaction: Interaction,
    pointer: PointerPlace,
    servo: Option<PointerServo>,
    playing: bool,
    steps_wanted: u32,
    clock: Clock,
    version: u64,
    scene_number: u64,
    frames: u64,
    frame_ms: f64,
    opening: Option<String>,
    open_error: Option<String>,
    quit: bool,
}

impl Simulation {
    fn new(
        cache: AssetCache,
        processor: Option<ProcessorClock>,
        inbox: Receiver<Command>,
        writer: HandoverWriter<WorldSnapshot>,
        pointer: PointerPlace,
        wake: Box<dyn Fn() + Send>,
    ) -> Self {
        Self {
            cache,
            processor,
            inbox,
            writer,
            wake,
            job: None,
            reference: Watch::default(),
            setup: None,
            rest: SurfaceFrame::default(),
            lanes: Vec::new(),
            interaction: Interaction::default(),
            pointer,
            servo: None,
            playing: false,
            steps_wanted: 0,
            clock: Clock::new(1.0 / 60.0),
            version: 0,
            scene_number: 0,
            frames: 0,
            frame_ms: 0.0,
            opening: None,
            open_error: None,
            quit: false,
        }
    }

    fn run(mut self) {
        while !self.quit {
            let mut changed = self.take_commands();
            changed |= self.take_bakes();
            changed |= self.reference.poll(&mut self.lanes);
            let ready = self
                .lanes
                .iter()
                .any(|l| l.world.is_some() || l.joining.is_some());
            if ready && (self.playing || self.steps_wanted > 0) && self.clock.wait().is_zero() {
                self.clock.frame_begins();
                self.step();
                changed = true;
            }
            if changed {
                self.publish();
            }
            let idle = if self.playing && ready {
                self.clock.wait().min(Duration::from_millis(20))
            } else {
                Duration::from_millis(20)
            };
            if !idle.is_zero()
                && let Ok(command) = self.inbox.recv_timeout(idle)
            {
                self.obey(command);
                self.publish();
            }
        }
    }

    fn step(&mut self) {
        self.join();
        self.steps_wanted = self.steps_wanted.saturating_sub(1);
        let started = Instant::now();
        for lane in &mut self.lanes {
            if lane.state != PaneState::Ready {
                continue;
            }
            let Some(world) = &mut lane.world else {
                continue;
            };
            if let Err(error) = world.step_frame(&self.interaction) {
                lane.state = PaneState::Stopped(error.to_string());
                continue;
            }
            if self.interaction == Interaction::default()
                && let Some(setup) = &self.setup
            {
                lane.seen.record(world, setup);
                self.reference.judge(lane);
            }
        }
        self.feel();
        self.frames += 1;
        self.frame_ms = started.elapsed().as_secs_f64() * 1e3;
    }

    /// The servo thread gets the contact of this frame.
    fn feel(&mut self) {
        let Some(servo) = &mut self.servo else {
            return;
        };
        let mut lanes = self.lanes.iter_mut();
        let lane = lanes.find(|l| l.method == Method::Quasistatic && l.state == PaneState::Ready);
        let world = lane.and_then(|lane| lane.world.as_mut());
        let held = self.interaction.tool_position.is_some() && world.is_some();
        servo.frame(held, |model| {
            world.is_some_and(|world| world.write_local_model(model))
        });
    }
}
