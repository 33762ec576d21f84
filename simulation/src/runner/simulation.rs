//! The simulation thread: commands, frames and snapshots in a loop.

use std::ffi::OsString;
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::Receiver;
use pliant_core::mesh::SurfaceFrame;
use pliant_core::scene::Method;
use web_time::Instant;

use super::accuracy::{ReferenceWatch, TouchRecorder};
use super::background::{AdviceWatch, BakeJob, FileWatch, Threads};
use super::clock::Clock;
use super::command::Command;
use super::grab_follower::GrabFollower;
use super::pane::MethodPane;
use super::snapshot::recent_frames::RecentFrames;
use super::snapshot::{PaneState, WorldSnapshot};
use super::timeline::Timeline;
use crate::cache::AssetCache;
use crate::compare::advice::Setting;
use crate::scenes::ImportOptions;
use crate::servo::{PointerPlace, PointerServo};
use crate::setup::Setup;
use crate::threads::handover::HandoverWriter;
use crate::world::Interaction;
use crate::world::pace::ProcessorClock;

/// State of the simulation thread.
pub(super) struct Simulation {
    pub(super) cache: AssetCache,
    /// whether work in the background has threads of its own
    pub(super) threads: Threads,
    /// clock of budgets in processor time; without one budgets count work units
    pub(super) processor: Option<ProcessorClock>,
    /// commands of the window
    pub(super) inbox: Receiver<Command>,
    pub(super) writer: HandoverWriter<WorldSnapshot>,
    /// tells the window that there is a new snapshot
    pub(super) wake: Box<dyn Fn() + Send>,
    /// the scene that is being opened and baked
    pub(super) job: Option<BakeJob>,
    /// the job of the scene that is shown, while another one is being opened
    pub(super) previous_job: Option<BakeJob>,
    pub(super) reference: ReferenceWatch,
    /// forces of the touches of the hand, for a reference of their own
    pub(super) touches: TouchRecorder,
    pub(super) advice: AdviceWatch,
    /// whether the reference was given up for the advice
    pub(super) waits_for_advice: bool,
    pub(super) setup: Option<Arc<Setup>>,
    /// the skin at rest, for panes that do not run
    pub(super) rest: SurfaceFrame,
    /// one a method
    pub(super) panes: Vec<MethodPane>,
    /// input of the pointer
    pub(super) interaction: Interaction,
    /// how its grab, or the force of its pull, follows the pointer
    pub(super) grab_follower: GrabFollower,
    /// where the pointer is, for force feedback
    pub(super) pointer: PointerPlace,
    /// force feedback of the tool that follows the pointer
    pub(super) servo: Option<PointerServo>,
    /// recent inputs and states
    pub(super) timeline: Timeline,
    /// numbers of the last frames
    pub(super) recent: RecentFrames,
    /// whether large skins are measured, too
    pub(super) measures_skins: bool,
    /// whether the user did anything to the bodies since the scene began
    pub(super) is_disturbed: bool,
    pub(super) playing: bool,
    /// single frames that were asked for
    pub(super) pending_steps: u32,
    pub(super) clock: Clock,
    /// incremented with every snapshot
    pub(super) version: u64,
    /// incremented with every scene
    pub(super) scene_number: u64,
    /// since the scene was opened or reset
    pub(super) frames: u64,
    /// commands carried out so far, and those among them that the last frame began with
    pub(super) commands: u64,
    pub(super) commands_of_frame: u64,
    /// methods with which all methods began again
    pub(super) began_again: Vec<Method>,
    /// wall time of the last frame of all methods
    pub(super) frame_ms: f64,
    /// where the scene comes from, and how it was read
    pub(super) source: Option<(OsString, ImportOptions)>,
    /// the same of the scene that is being opened
    pub(super) asked: Option<(OsString, ImportOptions)>,
    /// files of the scene that is shown; of the one that is being opened while none is
    pub(super) files: FileWatch,
    /// whether the scene that was asked for last is the one before, prepared again
    pub(super) is_prepared_again: bool,
    /// settings of methods that were prepared as advised
    pub(super) settings: Vec<Setting>,
    /// the same of the method that is being prepared
    pub(super) pending_settings: Vec<Setting>,
    /// name of the scene that is being opened
    pub(super) opening: Option<String>,
    /// why the last scene could not be opened
    pub(super) open_error: Option<String>,
    /// the scene as it was last written, or why it was not
    pub(super) written: Option<Arc<Result<String, String>>>,
    pub(super) quit: bool,
}

impl Simulation {
    /// Nothing is open yet.
    pub(super) fn new(
        cache: AssetCache,
        processor: Option<ProcessorClock>,
        inbox: Receiver<Command>,
        writer: HandoverWriter<WorldSnapshot>,
        pointer: PointerPlace,
        wake: Box<dyn Fn() + Send>,
    ) -> Self {
        Self {
            cache,
            threads: Threads::Own,
            processor,
            inbox,
            writer,
            wake,
            job: None,
            previous_job: None,
            reference: ReferenceWatch::default(),
            touches: TouchRecorder::default(),
            advice: AdviceWatch::default(),
            waits_for_advice: false,
            setup: None,
            rest: SurfaceFrame::default(),
            panes: Vec::new(),
            interaction: Interaction::default(),
            grab_follower: GrabFollower::default(),
            pointer,
            servo: None,
            timeline: Timeline::default(),
            recent: RecentFrames::default(),
            measures_skins: false,
            is_disturbed: false,
            playing: false,
            pending_steps: 0,
            clock: Clock::new(1.0 / 60.0),
            version: 0,
            scene_number: 0,
            frames: 0,
            commands: 0,
            commands_of_frame: 0,
            began_again: Vec::new(),
            frame_ms: 0.0,
            source: None,
            asked: None,
            files: FileWatch::default(),
            is_prepared_again: false,
            settings: Vec::new(),
            pending_settings: Vec::new(),
            opening: None,
            open_error: None,
            written: None,
            quit: false,
        }
    }

    /// Executes commands and steps frames until it is told to quit.
    pub(super) fn run(mut self) {
        while !self.quit {
            let idle = self.run_cycle();
            if !idle.is_zero()
                && let Ok(command) = self.inbox.recv_timeout(idle)
            {
                self.execute(command);
                self.publish();
            }
        }
    }

    /// Executes pending commands, and steps a frame if one is due. Returns how long to wait for the next command.
    pub(super) fn run_cycle(&mut self) -> Duration {
        let mut changed = self.take_commands();
        changed |= self.receive_bake_events();
        changed |= self.reload_changed();
        changed |= self.reference.poll(&mut self.panes);
        changed |= self.compare_touch();
        changed |= self.poll_advice();
        let ready = self
            .panes
            .iter()
            .any(|pane| pane.world.is_some() || pane.joining.is_some());
        if self.timeline.seek_target.is_some() {
            changed |= self.approach();
        } else if ready && (self.playing || self.pending_steps > 0) && self.clock.wait().is_zero() {
            self.clock.start_frame();
            self.step();
            changed = true;
        }
        if changed {
            self.publish();
        }
        match self.timeline.seek_target {
            Some(_) => Duration::ZERO,
            None if self.playing && ready => self.clock.wait().min(Duration::from_millis(20)),
            None => Duration::from_millis(20),
        }
    }

    /// The same after a stage of the bake, for a single thread. Returns whether there is more to do.
    pub(super) fn run_cycle_with_bakes(&mut self) -> bool {
        if let Some(job) = &mut self.job {
            job.advance();
        }
        self.run_cycle();
        self.job.is_some()
            || self.playing
            || self.pending_steps > 0
            || self.timeline.seek_target.is_some()
    }

    /// Compares what the hand did with a reference of its own, once there is something to compare and nothing else is computed for the user.
    pub(super) fn compare_touch(&mut self) -> bool {
        let Some(setup) = &self.setup else {
            return false;
        };
        if self.job.is_some() || self.advice.is_running() {
            return false;
        }
        let touch = self.touches.take_due(&self.timeline, setup);
        touch.is_some_and(|touch| {
            let (cache, panes) = (&self.cache, &mut self.panes);
            self.reference
                .compare(touch, setup, cache, self.threads, panes)
        })
    }

    /// The pane of a method; `None` while no scene is open.
    pub(super) fn pane_mut(&mut self, method: Method) -> Option<&mut MethodPane> {
        self.panes.iter_mut().find(|pane| pane.method == method)
    }

    fn step(&mut self) {
        self.join_waiting();
        self.pending_steps = self.pending_steps.saturating_sub(1);
        self.commands_of_frame = self.commands;
        let started = Instant::now();
        self.take_frame();
        self.publish_contact();
        self.frames += 1;
        self.frame_ms = started.elapsed().as_secs_f64() * 1e3;
    }

    /// Gives the servo thread the contact of this frame.
    fn publish_contact(&mut self) {
        let Some(servo) = &mut self.servo else {
            return;
        };
        let mut panes = self.panes.iter_mut();
        let pane =
            panes.find(|pane| pane.method == Method::Quasistatic && pane.state == PaneState::Ready);
        let world = pane.and_then(|pane| pane.world.as_mut());
        let held = self.interaction.tool_position.is_some() && world.is_some();
        servo.frame(held, |model| {
            world.is_some_and(|world| world.write_local_model(model))
        });
    }
}

#[cfg(test)]
impl Simulation {
    /// A scene without a thread of its own, for tests: its `methods` run, and nobody sends it commands. `source` is where the scene comes from.
    pub(super) fn of_scene(
        setup: &Arc<Setup>,
        methods: &[Method],
        source: Option<(OsString, ImportOptions)>,
        clock: Option<ProcessorClock>,
    ) -> Self {
        let (_, inbox) = crossbeam_channel::unbounded();
        let (writer, _) = crate::threads::handover::handover(WorldSnapshot::default());
        let (cache, place) = (AssetCache::disabled(), PointerPlace::default());
        let mut simulation = Self::new(cache, clock, inbox, writer, place, Box::new(|| ()));
        simulation.asked = source;
        simulation.enter(Arc::clone(setup));
        for &method in methods {
            let built = crate::world::testing::built(setup, method);
            simulation.admit(built.expect("built"));
        }
        simulation
    }

    /// Goes to a frame of the timeline, as the thread does.
    pub(super) fn go_to(&mut self, frame: u64) {
        self.execute(Command::Seek(frame));
        while self.approach() {}
    }
}
