//! Commands of the window, carried out between frames.

use std::ffi::OsString;
use std::sync::Arc;

use crossbeam_channel::TryRecvError;
use pliant_core::inspect::ParameterValue;
use pliant_core::math::Vec3;
use pliant_core::scene::Method;

use super::background::{BakeJob, SceneChanges, Threads};
use super::command::Command;
use super::simulation::Simulation;
use super::snapshot::AdviceStatus;
use crate::compare::advice::Goal;
use crate::scenes::ImportOptions;
use crate::setup::Setup;
use crate::setup::hand::{HandParameter, RestingBlade};
use crate::world::{PointerBlade, PointerGrab, PointerPull};

impl Simulation {
    /// Executes all pending commands; returns whether there was one.
    pub(super) fn take_commands(&mut self) -> bool {
        let mut any = false;
        loop {
            match self.inbox.try_recv() {
                Ok(command) => {
                    self.execute(command);
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

    fn advise(&mut self, goal: Goal) {
        let (Some(source), Some(setup)) = (self.source.clone(), self.setup.clone()) else {
            return;
        };
        if self.threads == Threads::Shared {
            self.advice.refuse();
            return;
        }
        self.waits_for_advice |= self.reference.cancel_for_advice();
        let cache = self.cache.clone();
        self.advice.start(source, setup, goal, cache);
    }

    /// Updates the status of the advice; returns whether it changed.
    pub(super) fn poll_advice(&mut self) -> bool {
        let is_new = self.advice.poll();
        if is_new && !self.advice.is_running() {
            self.resume_reference();
        }
        is_new
    }

    /// The reference of the window goes on, with what the advice has left in the cache.
    fn resume_reference(&mut self) {
        if std::mem::take(&mut self.waits_for_advice)
            && let Some(setup) = &self.setup
        {
            self.reference.start(setup, &self.cache, self.threads);
        }
    }

    fn apply_advice(&mut self) {
        let AdviceStatus::Ready(advice) = &self.advice.status else {
            return;
        };
        let advised = advice.advised();
        let (method, settings) = (advised.method, advised.settings.clone());
        let (Some(source), Some(setup)) = (self.source.clone(), self.setup.clone()) else {
            return;
        };
        if self.job.is_some() {
            self.open_error =
                Some("the methods are still being prepared: apply the advice after that".into());
            return;
        }
        // the pane that runs is to be compared with what comes: nothing begins anew
        self.is_disturbed = true;
        if let Some(pane) = self.pane_mut(method) {
            // it runs on, and tells how far the other one is
            pane.baked = Some(0.0);
            pane.bake_stage.clear();
        }
        self.pending_settings.clone_from(&settings);
        let cache = self.cache.clone();
        let job = BakeJob::replace(source, setup, method, settings, cache, self.threads);
        self.job = Some(job);
    }

    /// Opens the scene that is shown again, with what was changed in it and with another change.
    fn open_again(&mut self, change: impl FnOnce(&mut SceneChanges, &Setup)) {
        let (Some((source, import)), Some(setup)) = (self.source.clone(), self.setup.clone())
        else {
            return;
        };
        let mut changes = SceneChanges::of(&setup);
        change(&mut changes, &setup);
        self.asked = self.source.clone();
        self.is_prepared_again = true;
        self.open_with(source, import, changes);
    }

    /// Opens a scene with `changes`. What is being baked for the scene that is shown goes on if the new one cannot be opened.
    fn open_with(&mut self, source: OsString, import: ImportOptions, changes: SceneChanges) {
        let cache = self.cache.clone();
        let name = source.to_string_lossy().into_owned();
        if self.setup.is_none() {
            // it is opened as soon as somebody mends it
            self.files.watch(&source, None);
        }
        self.files.note_read(&source);
        let job = BakeJob::start(source, import, changes, cache, self.threads);
        let before = self.job.replace(job);
        if self.opening.replace(name).is_none() {
            self.previous_job = before;
        }
        self.open_error = None;
    }

    /// Opens the scene once more, as its files are now.
    fn reload(&mut self) {
        if let Some((source, import)) = self.asked.clone() {
            self.is_prepared_again = self.asked == self.source;
            let shown = self.setup.as_deref().filter(|_| self.is_prepared_again);
            let changes = SceneChanges {
                material: None,
                blade: shown.and_then(|setup| RestingBlade::of(&setup.description)),
            };
            self.open_with(source, import, changes);
        }
    }

    /// Opens the scene once more if its files were changed; returns whether it does.
    pub(super) fn reload_changed(&mut self) -> bool {
        let is_changed = self.opening.is_none() && self.files.poll();
        if is_changed {
            self.reload();
        }
        is_changed
    }

    /// One frame on, or to the next frame that was kept.
    fn step_by_hand(&mut self) {
        self.playing = false;
        let now = self.now();
        // what had other parameters is looked at, not computed anew
        match self.timeline.next_kept(now) {
            Some(next) if self.timeline.is_outdated(now) => self.seek(next),
            _ => self.pending_steps += 1,
        }
        self.clock.restart();
    }

    fn move_blade(&mut self, edge: [Vec3; 2]) {
        match &mut self.interaction.blade {
            Some(blade) if !blade.is_lifted => blade.to = edge,
            _ => {
                self.take_over();
                self.interaction.blade = Some(PointerBlade::new(edge));
            }
        }
    }

    fn set_parameter(&mut self, method: Method, name: String, value: ParameterValue) {
        let frame = self.now();
        let mut panes = self.panes.iter_mut().enumerate();
        if let Some((k, pane)) = panes.find(|(_, pane)| pane.method == method)
            && pane.set_parameter(name.clone(), value.clone())
        {
            self.timeline.parameters.set(HandParameter {
                frame,
                method,
                name,
                value,
            });
            self.reference.clear_pane_forces(k);
            self.touches.clear();
            self.parameters_changed();
        }
    }

    pub(super) fn execute(&mut self, command: Command) {
        self.commands += 1;
        match command {
            Command::Open { source, import } => {
                self.asked = Some((source.clone(), import.clone()));
                self.is_prepared_again = false;
                self.open_with(source, import, SceneChanges::default());
            }
            Command::Reload => self.reload(),
            Command::SetMaterial(material) => {
                self.open_again(|changes, _| changes.material = Some(material));
            }
            Command::PrepareForCutting => self.open_again(|changes, setup| {
                changes.blade = Some(RestingBlade::beside(setup));
            }),
            Command::Play => {
                self.playing = true;
                self.clock.restart();
            }
            Command::Pause => self.playing = false,
            Command::Step => self.step_by_hand(),
            Command::StepBack => {
                self.playing = false;
                let now = self.timeline.seek_target.unwrap_or(self.now());
                self.seek(now.saturating_sub(1));
            }
            Command::Seek(frame) => self.seek(frame),
            Command::Loop(on) => self.timeline.loops = on,
            Command::Reset => self.restart_scene(),
            Command::MoveTool(position) => {
                if position.is_some() {
                    self.take_over();
                }
                self.interaction.tool_position = position;
            }
            Command::Grab {
                vertices,
                displacement,
            } => {
                self.take_over();
                self.grab_follower.start_at(displacement);
                // one hand, and one follower of the pointer
                self.interaction.pull = None;
                self.interaction.grab = Some(PointerGrab {
                    vertices,
                    displacement,
                    own_displacements: Vec::new(),
                });
            }
            Command::Pull { vertices } => {
                self.take_over();
                self.grab_follower.start_at(Vec3::zeros());
                self.interaction.grab = None;
                self.interaction.pull = Some(PointerPull {
                    vertices,
                    force: Vec3::zeros(),
                });
            }
            Command::MoveGrab(goal) | Command::MovePull(goal) => self.grab_follower.move_to(goal),
            Command::Release => {
                self.interaction.grab = None;
                self.interaction.pull = None;
            }
            Command::MoveBlade(edge) => self.move_blade(edge),
            Command::LiftBlade => {
                if let Some(blade) = &mut self.interaction.blade {
                    // its last motion still cuts
                    blade.is_lifted = true;
                }
            }
            Command::SetGravity(on) => {
                self.take_over();
                self.interaction.gravity_on = on;
            }
            Command::SetParameter {
                method,
                name,
                value,
            } => self.set_parameter(method, name, value),
            Command::Advise(goal) => self.advise(goal),
            Command::CancelAdvice => {
                self.advice.cancel();
                self.resume_reference();
            }
            Command::ApplyAdvice => self.apply_advice(),
            Command::ShowQuantity { method, name } => {
                if let Some(pane) = self.pane_mut(method) {
                    pane.shown = name;
                }
            }
            Command::MeasureSkins(on) => self.measures_skins = on,
            Command::WriteScene(view) => {
                self.written = Some(Arc::new(self.written_scene(view.as_deref())));
            }
            Command::Quit => self.quit = true,
        }
    }
}
