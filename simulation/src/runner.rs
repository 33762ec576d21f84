//! The simulation thread of a window: commands in, snapshots out, baking in the background.

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, TryRecvError, unbounded};
use pliant_core::inspect::QuantityBuffer;
use pliant_core::math::Vec3;
use pliant_core::mesh::{SkinBinding, SurfaceFrame};
use pliant_core::scene::Method;

use crate::bake_jobs::{BakeEvent, BakeJob};
use crate::build::BuiltMethod;
use crate::cache::AssetCache;
use crate::clock::Clock;
use crate::command::Command;
use crate::handover::{HandoverReader, HandoverWriter, handover};
use crate::pace::{FramePace, ProcessorClock};
use crate::servo::{PointerPlace, PointerServo};
use crate::setup::Setup;
use crate::snapshot::{PaneSnapshot, PaneState, PointMark, WorldSnapshot};
use crate::world::{Interaction, PointerGrab, World};

/// Handle to a running simulation thread. Dropping it ends the thread and cancels bakes.
pub struct Runner {
    commands: Sender<Command>,
    snapshots: HandoverReader<WorldSnapshot>,
    pointer: PointerPlace,
    thread: Option<JoinHandle<()>>,
}

impl Runner {
    /// Starts the thread; it waits for [`Command::Open`]. `wake` is called after every new snapshot, for repainting. With a `clock` the budget of the adaptive method's cut
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

struct Lane {
    method: Method,
    state: PaneState,
    world: Option<World>,
    /// share of its bake that is done, where it runs before that
    baked: Option<f64>,
    /// built, but waiting for a moment without contact to join the others
    joining: Option<World>,
    binding: Option<Arc<SkinBinding>>,
    shown: Option<String>,
    values: QuantityBuffer,
}

struct Simulation {
    cache: AssetCache,
    processor: Option<ProcessorClock>,
    inbox: Receiver<Command>,
    writer: HandoverWriter<WorldSnapshot>,
    wake: Box<dyn Fn() + Send>,
    job: Option<BakeJob>,
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

    fn take_commands(&mut self) -> bool {
        let mut any = false;
        loop {
            match self.inbox.try_recv() {
                Ok(command) => {
                    self.obey(command);
                    any = true;
                }
                Err(TryRecvError::Empty) => return any,
                Err(TryRecvError::Disconnected) => {
                    self.quit = true;
                    return any;
                }
            }
        }
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Open { source, import } => {
                self.opening = Some(source.to_string_lossy().into_owned());
                self.open_error = None;
                self.job = Some(BakeJob::start(source, import, self.cache.clone()));
            }
            Command::Play => {
                self.playing = true;
                self.clock.restart();
            }
            Command::Pause => self.playing = false,
            Command::Step => {
                self.playing = false;
                self.steps_wanted += 1;
                self.clock.restart();
            }
            Command::Reset => {
                self.frames = 0;
                for lane in &mut self.lanes {
                    if let Some(joining) = lane.joining.take() {
                        lane.world = Some(joining);
                    }
                    if let Some(world) = &mut lane.world {
                        world.reset();
                        lane.state = PaneState::Ready;
                    }
                }
            }
            Command::MoveTool(position) => self.interaction.tool_position = position,
            Command::Grab {
                vertices,
                displacement,
            } => {
                self.interaction.grab = Some(PointerGrab {
                    vertices,
                    displacement,
                });
            }
            Command::MoveGrab(displacement) => {
                if let Some(grab) = &mut self.interaction.grab {
                    grab.displacement = displacement;
                }
            }
            Command::Release => self.interaction.grab = None,
            Command::SetGravity(on) => self.interaction.gravity_on = on,
            Command::SetParameter {
                method,
                name,
                value,
            } => {
                for lane in self.lanes.iter_mut().filter(|l| l.method == method) {
                    if let Some(world) = &mut lane.world {
                        // a value out of range is refused by the model and the panel shows the old one again
                        let _ = world.model_mut().set_parameter(&name, value.clone());
                    }
                }
            }
            Command::ShowQuantity { method, name } => {
                for lane in self.lanes.iter_mut().filter(|l| l.method == method) {
                    lane.shown = name.clone();
                }
            }
            Command::Quit => self.quit = true,
        }
    }

    fn take_bakes(&mut self) -> bool {
        let Some(job) = &self.job else {
            return false;
        };
        let mut changed = false;
        let mut events = Vec::new();
        while let Some(event) = job.next_event() {
            events.push(event);
        }
        if let Some((method, stage, fraction)) = job.present() {
            for lane in self.lanes.iter_mut().filter(|l| Some(l.method) == method) {
                if let Some(baked) = &mut lane.baked {
                    changed |= *baked != fraction;
                    *baked = fraction;
                    continue;
                }
                let state = PaneState::Baking {
                    stage: stage.clone(),
                    fraction,
                };
                if lane.state != state {
                    lane.state = state;
                    changed = true;
                }
            }
        }
        for event in events {
            changed = true;
            match event {
                BakeEvent::SceneReady(setup) => self.enter(setup),
                BakeEvent::SceneFailed(reason) => {
                    self.opening = None;
                    self.open_error = Some(reason);
                    self.job = None;
                }
                BakeEvent::MethodOpened(built) => {
                    let method = built.method;
                    self.admit(built);
                    for lane in self.lanes.iter_mut().filter(|l| l.method == method) {
                        lane.baked = Some(0.0);
                    }
                }
                BakeEvent::MethodReady(built) => {
                    let mut lanes = self.lanes.iter_mut();
                    // one that runs already has what was baked
                    if let Some(lane) = lanes.find(|l| l.method == built.method)
                        && lane.baked.take().is_some()
                    {
                        continue;
                    }
                    self.admit(built);
                }
                BakeEvent::MethodFailed { method, reason } => {
                    for lane in self.lanes.iter_mut().filter(|l| l.method == method) {
                        (lane.world, lane.joining, lane.baked) = (None, None, None);
                        lane.state = PaneState::NotApplicable(reason.clone());
                    }
                }
            }
        }
        changed
    }

    /// A method can run: it joins the others as soon as nothing touches the body.
    fn admit(&mut self, built: BuiltMethod) {
        let Some(setup) = self.setup.clone() else {
            return;
        };
        let method = built.method;
        let mut world = World::new(method, built.model, Arc::clone(&setup));
        if let Some(clock) = self.processor
            && method == Method::Adaptive
            && setup.description.body.adaptive.cut
        {
            world.set_pace(Some(FramePace::of_scene(&setup, clock)));
        }
        if let Some(lane) = self.lanes.iter_mut().find(|l| l.method == method) {
            lane.state = PaneState::Waiting;
            lane.binding = world.model().skin_binding().map(Arc::new);
            lane.joining = Some(world);
        }
        self.join();
    }

    /// A new skin is there: the old scene goes, the new one is shown at rest while its methods are baked.
    fn enter(&mut self, setup: Arc<Setup>) {
        self.rest = SurfaceFrame::at_rest(setup.skin());
        self.clock = Clock::new(setup.frame_duration());
        self.lanes = Method::ALL
            .into_iter()
            .map(|method| Lane {
                method,
                state: if setup.description.methods.contains(&method) {
                    PaneState::Waiting
                } else {
                    PaneState::NotApplicable("this scene does not ask for it".into())
                },
                world: None,
                baked: None,
                joining: None,
                binding: None,
                shown: None,
                values: QuantityBuffer::default(),
            })
            .collect();
        self.interaction = Interaction::default();
        let has_tool = setup.tools.iter().any(|t| t.follows_pointer);
        let is_felt = setup.description.methods.contains(&Method::Quasistatic) && has_tool;
        self.servo = is_felt.then(|| PointerServo::new(self.pointer.clone(), setup.diagonal));
        self.setup = Some(setup);
        self.scene_number += 1;
        self.frames = 0;
        self.opening = None;
    }

    /// Methods that became ready join the others at a moment when nothing touches the body.
    fn join(&mut self) {
        let busy =
            self.lanes.iter().filter_map(|l| l.world.as_ref()).any(|w| {
                w.in_contact() && w.output().wrenches.iter().any(|w| w.force.norm() > 0.0)
            });
        if busy || self.interaction.grab.is_some() {
            return;
        }
        let index = self
            .lanes
            .iter()
            .filter_map(|l| l.world.as_ref())
            .map(World::frame_index)
            .max()
            .unwrap_or(0);
        for lane in &mut self.lanes {
            if let Some(mut world) = lane.joining.take() {
                world.reset_to(index);
                lane.world = Some(world);
                lane.state = PaneState::Ready;
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
            if let Some(world) = &mut lane.world
                && let Err(error) = world.step_frame(&self.interaction)
            {
                lane.state = PaneState::Stopped(error.to_string());
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

    fn publish(&mut self) {
        self.version += 1;
        let snapshot = self.writer.buffer();
        snapshot.setup.clone_from(&self.setup);
        snapshot.scene_number = self.scene_number;
        snapshot.version = self.version;
        snapshot.playing = self.playing;
        snapshot.gravity_on = self.interaction.gravity_on;
        snapshot.speed = self.clock.speed();
        snapshot.frame_ms = self.frame_ms;
        snapshot.frames = self.frames;
        match &mut self.servo {
            Some(servo) => snapshot
                .felt
                .get_or_insert_default()
                .clone_from(servo.felt()),
            None => snapshot.felt = None,
        }
        snapshot.open_error.clone_from(&self.open_error);
        snapshot.opening.clone_from(&self.opening);
        // a method that stopped stays behind: the one furthest on tells time and tools
        let worlds = self.lanes.iter().filter_map(|l| l.world.as_ref());
        if let Some(world) = worlds.max_by_key(|w| w.frame_index()) {
            snapshot.tools.clear();
            snapshot.tools.extend_from_slice(world.tools());
            snapshot.time = world.time();
        }
        snapshot.panes.truncate(self.lanes.len());
        while snapshot.panes.len() < self.lanes.len() {
            let method = self.lanes[snapshot.panes.len()].method;
            snapshot.panes.push(PaneSnapshot::waiting(method));
        }
        for (pane, lane) in snapshot.panes.iter_mut().zip(&mut self.lanes) {
            lane.write(pane, &self.rest);
        }
        self.writer.publish();
        (self.wake)();
    }
}

impl Lane {
    fn write(&mut self, pane: &mut PaneSnapshot, rest: &SurfaceFrame) {
        pane.method = self.method;
        pane.state.clone_from(&self.state);
        pane.baked = self.baked;
        let Some(world) = &self.world else {
            copy_frame(rest, &mut pane.frame);
            pane.binding = None;
            pane.control_points.offsets.clear();
            pane.cost_ms = 0.0;
            pane.tool_forces.clear();
            pane.grab_force = Vec3::zeros();
            pane.probes.clear();
            pane.points.clear();
            pane.quantity = None;
            return;
        };
        copy_frame(world.frame(), &mut pane.frame);
        pane.binding.clone_from(&self.binding);
        if self.binding.is_some() {
            world.write_control_points(&mut pane.control_points);
        }
        let out = world.output();
        pane.cost_ms = out.cost_ms;
        pane.tool_forces.clear();
        pane.tool_forces
            .extend(out.wrenches.iter().map(|w| w.force));
        pane.grab_force = out.grab_forces.last().copied().unwrap_or_else(Vec3::zeros);
        pane.probes.clone_from(&out.probes);
        let model = world.model();
        pane.points.clear();
        model.visit_points(&mut |point| {
            pane.points.push(PointMark {
                name: point.name.to_string(),
                place: point.rest + point.state.displacement,
                state: point.state,
            });
        });
        pane.stats = model.stats();
        pane.quantities = model.quantities().to_vec();
        pane.parameters = model
            .parameters()
            .iter()
            .filter_map(|info| Some((info.clone(), model.parameter(info.name).ok()?)))
            .collect();
        pane.quantity = self.shown.as_ref().and_then(|name| {
            self.values.clear();
            model.sample_quantity(name, &mut self.values).ok()?;
            (self.values.scalars.len() == world.frame().positions.len())
                .then(|| (name.clone(), self.values.scalars.clone()))
        });
    }
}

fn copy_frame(from: &SurfaceFrame, to: &mut SurfaceFrame) {
    to.positions.clone_from(&from.positions);
    to.normals.clone_from(&from.normals);
    to.cut.clone_from(&from.cut);
}
