//! Results of the bakes in the background: a scene, then one method after the other.

use std::sync::Arc;

use pliant_core::mesh::SurfaceFrame;
use pliant_core::scene::Method;

use super::accuracy::{ReferenceWatch, TouchRecorder};
use super::background::{AdviceWatch, BakeEvent, Threads};
use super::clock::Clock;
use super::pane::{Completeness, Joining, MethodPane};
use super::simulation::Simulation;
use super::snapshot::PaneState;
use crate::build::BuiltMethod;
use crate::error::Fault;
use crate::parameters::moves_on_cut;
use crate::servo::PointerServo;
use crate::setup::Setup;
use crate::world::pace::FramePace;
use crate::world::{Interaction, World};

/// Most frames that a model waits for a moment without contact.
pub(super) const MAX_WAITING_FRAMES: u32 = 600;

impl Simulation {
    /// Handles the events of the bake; returns whether anything changed.
    pub(super) fn receive_bake_events(&mut self) -> bool {
        let Some(job) = &self.job else {
            return false;
        };
        let mut changed = false;
        let mut events = Vec::new();
        while let Some(event) = job.next_event() {
            events.push(event);
        }
        if let Some((method, stage, fraction)) = job.current() {
            for pane in &mut self.panes {
                if pane.method != method {
                    if !pane.bake_stage.is_empty() {
                        pane.bake_stage.clear();
                        changed = true;
                    }
                    // given up for now: its turn comes again
                    if matches!(pane.state, PaneState::Baking { .. }) {
                        pane.state = PaneState::Waiting;
                        changed = true;
                    }
                    continue;
                }
                if let Some(baked) = &mut pane.baked {
                    // all of it is for models that wait
                    let share = fraction.min(0.99);
                    changed |= *baked != share || pane.bake_stage != stage;
                    *baked = share;
                    pane.bake_stage.clone_from(&stage);
                    continue;
                }
                let state = PaneState::Baking {
                    stage: stage.clone(),
                    fraction,
                };
                if pane.state != state {
                    pane.state = state;
                    changed = true;
                }
            }
        }
        changed |= !events.is_empty();
        for event in events {
            self.handle_event(event);
        }
        changed
    }

    /// Handles an event of a job in the background.
    pub(super) fn handle_event(&mut self, event: BakeEvent) {
        match event {
            BakeEvent::SceneReady(setup) => {
                self.previous_job = None;
                self.enter(setup);
            }
            BakeEvent::SceneFailed(reason) => {
                self.opening = None;
                self.open_error = Some(reason);
                if self.setup.is_some() {
                    self.asked.clone_from(&self.source);
                }
                // what was being baked for the scene that stays
                self.job = self.previous_job.take();
            }
            BakeEvent::PreviewReady(built) => self.admit_as(built, Completeness::Preview),
            BakeEvent::MethodOpened(built) => self.admit_as(built, Completeness::Partial),
            BakeEvent::MethodReady(built) => {
                let pane = self.pane_mut(built.method);
                if !pane.is_some_and(MethodPane::mark_complete) {
                    self.admit(built);
                }
            }
            BakeEvent::MethodReplaced { setup, built } => {
                self.setup = Some(setup);
                self.settings.retain(|s| s.table != built.method);
                self.settings.append(&mut self.pending_settings);
                self.admit(built);
                self.job = None;
            }
            BakeEvent::ReplacementFailed { method, reason } => {
                if let Some(pane) = self.pane_mut(method) {
                    pane.baked = None;
                }
                self.open_error = Some(reason);
                self.job = None;
            }
            BakeEvent::Finished => {
                self.job = None;
                if let Some(setup) = &self.setup {
                    self.reference.start(setup, &self.cache, self.threads);
                }
            }
            BakeEvent::MethodFailed { method, fault } => {
                if let Some(pane) = self.pane_mut(method) {
                    pane.stop(PaneState::NotApplicable(fault));
                    self.timeline.clear();
                    self.timeline.parameters.forget(method);
                }
            }
        }
    }

    /// A method can run: it joins the others as soon as nothing touches the body.
    pub(super) fn admit(&mut self, built: BuiltMethod) {
        self.admit_as(built, Completeness::Complete);
    }

    /// The same for a model that may not be complete yet.
    fn admit_as(&mut self, built: BuiltMethod, completeness: Completeness) {
        let Some(setup) = self.setup.clone() else {
            return;
        };
        let method = built.method;
        let mut world = World::new(method, built.model, Arc::clone(&setup));
        if let Some(clock) = self.processor
            && method == Method::Adaptive
            && moves_on_cut(&setup)
        {
            world.set_pace(Some(FramePace::of_scene(&setup, clock).in_window()));
        }
        if let Some(pane) = self.pane_mut(method) {
            pane.baked = Some(match completeness {
                Completeness::Complete => 1.0,
                Completeness::Preview | Completeness::Partial => 0.0,
            });
            if pane.world.is_none() {
                pane.state = PaneState::Waiting;
            }
            pane.joining = Some(Joining {
                world,
                completeness,
                waited: 0,
            });
        }
        self.join_waiting();
    }

    /// Replaces the scene by a new one, which is shown at rest while its methods are baked.
    pub(super) fn enter(&mut self, setup: Arc<Setup>) {
        self.rest = SurfaceFrame::at_rest(setup.skin());
        self.clock = Clock::new(setup.frame_duration());
        self.panes = Method::ALL
            .into_iter()
            .map(|method| {
                let state = if setup.description.methods.contains(&method) {
                    PaneState::Waiting
                } else {
                    let reason = "this scene does not ask for it";
                    PaneState::NotApplicable(Fault::new("NotAsked", reason))
                };
                MethodPane::new(method, state)
            })
            .collect();
        self.reference = ReferenceWatch::default();
        self.touches = TouchRecorder::default();
        self.advice = AdviceWatch::default();
        self.waits_for_advice = false;
        self.interaction = Interaction::default();
        self.timeline.clear();
        self.timeline.parameters.clear();
        self.settings.clear();
        self.recent.clear();
        self.is_disturbed = false;
        let mut tools = setup.tools.iter();
        let has_tool = tools.any(|t| t.follows_pointer && !t.shape.is_blade());
        let is_felt = self.threads == Threads::Own
            && setup.description.methods.contains(&Method::Quasistatic)
            && has_tool;
        self.servo = is_felt.then(|| PointerServo::new(self.pointer.clone(), setup.diagonal));
        self.setup = Some(setup);
        self.source.clone_from(&self.asked);
        if let Some((source, _)) = &self.source {
            self.files.watch(source, self.setup.as_deref());
        }
        self.scene_number += 1;
        self.frames = 0;
        self.began_again.clear();
        self.opening = None;
    }

    /// Methods that became ready join the others at a moment when nothing touches the body. In the following cases all methods restart instead, whatever touches them:
    ///
    /// - The user did nothing yet, and a method joins for the first time, or a finer model replaces a coarse one in a script that does not repeat. Methods can be compared only
    ///   where they do the same at the same time, and otherwise only the coarse model would ever be seen.
    /// - Bodies may be cut or break: a body that joins after a cut would stay whole beside the others.
    /// - A model has waited for long: a body that rests on a tool is always touched.
    pub(super) fn join_waiting(&mut self) {
        if self.panes.iter().all(|pane| pane.joining.is_none()) {
            return;
        }
        let running = self
            .panes
            .iter()
            .filter(|pane| pane.state == PaneState::Ready);
        let is_touched =
            |w: &World| w.in_contact() && w.output().wrenches.iter().any(|w| w.force.norm() > 0.0);
        let is_touched = running
            .filter_map(|pane| pane.world.as_ref())
            .any(is_touched);
        let is_one_off = self.setup.iter().any(|s| !repeats(s));
        let has_hand = self.interaction.tool_position.is_some();
        let joining = || self.panes.iter().filter(|pane| pane.joining.is_some());
        let is_seen_late = joining().any(|pane| pane.world.is_none() || is_one_off);
        let waited = joining().filter_map(|pane| pane.joining.as_ref());
        let is_overdue = !has_hand && waited.map(|j| j.waited).any(|n| n >= MAX_WAITING_FRAMES);
        let begins_anew = (is_seen_late && !self.is_disturbed)
            || is_overdue
            || self.setup.iter().any(|s| may_separate(s));
        let has_hold = self.interaction.grab.is_some() || self.interaction.pull.is_some();
        if (is_touched && !begins_anew) || has_hold {
            let joining = self
                .panes
                .iter_mut()
                .filter_map(|pane| pane.joining.as_mut());
            joining.for_each(|j| j.waited += 1);
            return;
        }
        let index = self.now();
        let mut joined = Vec::new();
        for (k, pane) in self.panes.iter_mut().enumerate() {
            if let Some(set) = pane.start(index) {
                self.reference.clear_pane_forces(k);
                joined.push(pane.method);
                // what is kept knows nothing of it
                self.timeline.clear();
                let parameters = &mut self.timeline.parameters;
                parameters.begin_with(pane.method, index, set);
            }
        }
        if !joined.is_empty() && begins_anew && index > 0 {
            self.restart_scene();
            self.began_again = joined;
        }
    }

    /// Restarts all methods at rest, at time zero.
    pub(super) fn restart_scene(&mut self) {
        self.frames = 0;
        self.began_again.clear();
        self.timeline.clear();
        self.recent.clear();
        self.is_disturbed = false;
        for pane in &mut self.panes {
            if let Some(set) = pane.start(0) {
                let parameters = &mut self.timeline.parameters;
                parameters.begin_with(pane.method, 0, set);
            }
            if let Some(world) = &mut pane.world {
                world.reset();
                pane.state = PaneState::Ready;
            }
        }
        self.timeline.parameters.computed(0);
        self.touches.clear();
        if let Some(setup) = &self.setup {
            let (cache, panes) = (&self.cache, &mut self.panes);
            self.reference
                .show_script(setup, cache, self.threads, panes);
        }
    }
}

/// Whether blades may cut the body of a scene, or loads may break it.
fn may_separate(setup: &Setup) -> bool {
    let body = &setup.description.body;
    setup.has_blades() || body.fracture.breaks() || body.lattice.toughness.is_some()
}

/// Whether the script of a scene repeats, so that every method shows all of it.
fn repeats(setup: &Setup) -> bool {
    let tools = setup.tools.iter().map(|t| &t.path);
    let paths = tools.chain(setup.grabs.iter().map(|g| &g.path));
    let moving: Vec<_> = paths.filter(|path| path.duration() > 0.0).collect();
    !moving.is_empty() && moving.iter().all(|path| path.period().is_some())
}
