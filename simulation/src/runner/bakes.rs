//! What is baked in the background arrives: a scene, then one method after the other.

use std::sync::Arc;

use pliant_core::inspect::QuantityBuffer;
use pliant_core::mesh::SurfaceFrame;
use pliant_core::scene::Method;

use super::accuracy::{ReferenceWatch, ScriptForces, TouchRecorder};
use super::background::{AdviceWatch, BakeEvent, Threads};
use super::clock::Clock;
use super::pane::MethodPane;
use super::simulation::Simulation;
use super::snapshot::{PaneFault, PaneState};
use crate::build::BuiltMethod;
use crate::parameters::moves_on_cut;
use crate::servo::PointerServo;
use crate::setup::Setup;
use crate::world::pace::FramePace;
use crate::world::{Interaction, World};

impl Simulation {
    /// Takes in what has been baked; whether anything changed.
    pub(super) fn take_bakes(&mut self) -> bool {
        let Some(job) = &self.job else {
            return false;
        };
        let mut changed = false;
        let mut events = Vec::new();
        while let Some(event) = job.next_event() {
            events.push(event);
        }
        if let Some((method, stage, fraction)) = job.present() {
            for pane in self.panes.iter_mut().filter(|l| Some(l.method) == method) {
                if let Some(baked) = &mut pane.baked {
                    changed |= *baked != fraction;
                    *baked = fraction;
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
            self.take_event(event);
        }
        changed
    }

    /// Takes in what a job in the background reports.
    pub(super) fn take_event(&mut self, event: BakeEvent) {
        match event {
            BakeEvent::SceneReady(setup) => self.enter(setup),
            BakeEvent::SceneFailed(reason) => {
                self.opening = None;
                self.open_error = Some(reason);
                self.job = None;
            }
            BakeEvent::PreviewReady(built) => self.admit_unfinished(built, true),
            BakeEvent::MethodOpened(built) => self.admit_unfinished(built, false),
            BakeEvent::MethodReady(built) => {
                let mut panes = self.panes.iter_mut();
                // a model that was opened before its columns were there has got them
                if let Some(pane) = panes.find(|l| l.method == built.method)
                    && pane.baked.take().is_some()
                    && !std::mem::take(&mut pane.is_preview)
                {
                    return;
                }
                self.admit(built);
            }
            BakeEvent::MethodReplaced { setup, built } => {
                for pane in self.panes.iter_mut().filter(|l| l.method == built.method) {
                    pane.baked = None;
                }
                self.setup = Some(setup);
                self.admit(built);
                self.job = None;
            }
            BakeEvent::ReplacementFailed { method, fault } => {
                for pane in self.panes.iter_mut().filter(|l| l.method == method) {
                    pane.baked = None;
                }
                self.open_error = Some(fault.reason);
                self.job = None;
            }
            BakeEvent::Finished => {
                self.job = None;
                if let Some(setup) = &self.setup {
                    self.reference.start(setup, &self.cache, self.threads);
                }
            }
            BakeEvent::MethodFailed { method, fault } => {
                for pane in self.panes.iter_mut().filter(|l| l.method == method) {
                    (pane.world, pane.joining, pane.baked) = (None, None, None);
                    self.timeline.clear();
                    pane.state = PaneState::NotApplicable(fault.clone());
                }
            }
        }
    }

    /// A method can run: it joins the others as soon as nothing touches the body.
    pub(super) fn admit(&mut self, built: BuiltMethod) {
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
        if let Some(pane) = self.panes.iter_mut().find(|l| l.method == method) {
            if pane.world.is_none() {
                pane.state = PaneState::Waiting;
            }
            pane.joining = Some(world);
        }
        self.join_waiting();
    }

    /// As [`Self::admit`], for a model that is not what the scene asks for yet; `is_preview` says whether another one takes its place.
    fn admit_unfinished(&mut self, built: BuiltMethod, is_preview: bool) {
        let method = built.method;
        self.admit(built);
        for pane in self.panes.iter_mut().filter(|l| l.method == method) {
            (pane.baked, pane.is_preview) = (Some(0.0), is_preview);
        }
    }

    /// A new skin is there: the old scene goes, the new one is shown at rest while its methods are baked.
    pub(super) fn enter(&mut self, setup: Arc<Setup>) {
        self.rest = SurfaceFrame::at_rest(setup.skin());
        self.clock = Clock::new(setup.frame_duration());
        self.panes = Method::ALL
            .into_iter()
            .map(|method| MethodPane {
                method,
                state: if setup.description.methods.contains(&method) {
                    PaneState::Waiting
                } else {
                    PaneState::NotApplicable(PaneFault {
                        code: "NotAsked".into(),
                        reason: "this scene does not ask for it".into(),
                    })
                },
                world: None,
                baked: None,
                is_preview: false,
                joining: None,
                binding: None,
                shown: None,
                values: QuantityBuffer::default(),
                refused: Vec::new(),
                forces: ScriptForces::default(),
                accuracy: None,
            })
            .collect();
        self.reference = ReferenceWatch::default();
        self.touches = TouchRecorder::default();
        self.advice = AdviceWatch::default();
        self.waits_for_advice = false;
        self.interaction = Interaction::default();
        self.timeline.clear();
        self.recent.clear();
        self.is_disturbed = false;
        let has_tool = setup.tools.iter().any(|t| t.follows_pointer);
        let is_felt = self.threads == Threads::Own
            && setup.description.methods.contains(&Method::Quasistatic)
            && has_tool;
        self.servo = is_felt.then(|| PointerServo::new(self.pointer.clone(), setup.diagonal));
        self.setup = Some(setup);
        self.source.clone_from(&self.asked);
        self.scene_number += 1;
        self.frames = 0;
        self.opening = None;
    }

    /// Methods that became ready join the others at a moment when nothing touches the body. All begin anew instead, whatever touches them, where the user did nothing yet and a
    /// method joins for the first time, or one with finer levels takes the place of a coarse one in a script that does not repeat: methods can be compared only where they do the
    /// same at the same time, and what a coarse model felt would be all that is ever seen of it. So they do where bodies may be cut or break: a body that joins after a cut would
    /// stay whole beside the others, and one that rests on a tool is always touched.
    pub(super) fn join_waiting(&mut self) {
        if self.panes.iter().all(|l| l.joining.is_none()) {
            return;
        }
        let worlds = || self.panes.iter().filter_map(|l| l.world.as_ref());
        let is_touched =
            |w: &World| w.in_contact() && w.output().wrenches.iter().any(|w| w.force.norm() > 0.0);
        let is_one_off = self.setup.iter().any(|s| !repeats(s));
        let mut joining = self.panes.iter().filter(|l| l.joining.is_some());
        let is_seen_late = joining.any(|l| l.world.is_none() || is_one_off);
        let begins_anew =
            (is_seen_late && !self.is_disturbed) || self.setup.iter().any(|s| may_part(s));
        let is_busy = !begins_anew && worlds().any(is_touched);
        if is_busy || self.interaction.grab.is_some() {
            return;
        }
        let index = worlds().map(World::frame_index).max().unwrap_or(0);
        let mut has_joined = false;
        for (k, pane) in self.panes.iter_mut().enumerate() {
            if let Some(mut world) = pane.joining.take() {
                self.reference.forget_pane(k);
                world.reset_to(index);
                pane.start(world);
                has_joined = true;
                // what is kept knows nothing of it
                self.timeline.clear();
            }
        }
        if has_joined && begins_anew && index > 0 {
            self.begin_anew();
        }
    }

    /// All methods at rest, at the beginning of the scene.
    pub(super) fn begin_anew(&mut self) {
        self.frames = 0;
        self.timeline.clear();
        self.recent.clear();
        self.is_disturbed = false;
        for pane in &mut self.panes {
            if let Some(joining) = pane.joining.take() {
                pane.start(joining);
            }
            if let Some(world) = &mut pane.world {
                world.reset();
                pane.state = PaneState::Ready;
            }
        }
        self.touches.clear();
        if let Some(setup) = &self.setup {
            let (cache, panes) = (&self.cache, &mut self.panes);
            self.reference
                .show_script(setup, cache, self.threads, panes);
        }
    }
}

/// Whether blades may cut the body of a scene, or loads may break it.
fn may_part(setup: &Setup) -> bool {
    let body = &setup.description.body;
    let is_cut = setup.tools.iter().any(|t| t.shape.is_blade());
    is_cut || body.fracture.breaks() || body.lattice.toughness.is_some()
}

/// Whether what a scene does by itself begins again and again, so that every method shows all of it.
fn repeats(setup: &Setup) -> bool {
    let tools = setup.tools.iter().map(|t| &t.path);
    let paths = tools.chain(setup.grabs.iter().map(|g| &g.path));
    let moving: Vec<_> = paths.filter(|path| path.duration() > 0.0).collect();
    !moving.is_empty() && moving.iter().all(|path| path.period().is_some())
}
