//! Going back and forth in time, and stepping frames again.

use std::time::Duration;

use pliant_core::scene::Method;
use web_time::Instant;

use super::inputs::{FrameInput, FrameUnits};
use super::kept::{KeptPane, KeptState};
use crate::error::Fault;
use crate::runner::simulation::Simulation;
use crate::runner::snapshot::PaneState;
use crate::world::pace::FramePace;
use crate::world::{Interaction, PointerBlade, World};

/// How long frames are stepped again before commands are read, so that a slider stays responsive. It affects when a picture comes, never what it shows.
const MAX_SEEK_TIME: Duration = Duration::from_millis(40);

impl Simulation {
    /// The worlds of the panes that have one.
    pub(in crate::runner) fn worlds(&self) -> impl Iterator<Item = &World> {
        self.panes.iter().filter_map(|pane| pane.world.as_ref())
    }

    /// The frame that is shown: a method that stopped stays behind.
    pub(in crate::runner) fn now(&self) -> u64 {
        self.worlds().map(World::frame_index).max().unwrap_or(0)
    }

    /// Goes towards `frame`, as far as it can be reached.
    pub(in crate::runner) fn seek(&mut self, frame: u64) {
        if self.timeline.is_empty() {
            return;
        }
        self.is_disturbed = true;
        let now = self.now();
        let (reachable, begin) = self.timeline.route(now, frame.max(self.timeline.first()));
        if let Some(state) = begin {
            let state = state.clone();
            self.restore(&state);
        }
        // the present input does not belong to that time
        (self.interaction.grab, self.interaction.tool_position) = (None, None);
        (self.interaction.pull, self.interaction.blade) = (None, None);
        self.show_gravity();
        self.timeline.seek_target = (self.now() != reachable).then_some(reachable);
    }

    /// Steps again towards the target of a seek, for a limited time. Returns whether anything moved.
    pub(in crate::runner) fn approach(&mut self) -> bool {
        let Some(seek_target) = self.timeline.seek_target else {
            return false;
        };
        let started = Instant::now();
        while self.now() < seek_target && started.elapsed() < MAX_SEEK_TIME {
            let now = self.now();
            let input = self.timeline.input(now).map(|(input, _)| input.clone());
            if let Some(input) = input {
                self.advance(&input.interaction, Some(&input.units));
            }
            if self.now() == now {
                self.timeline.seek_target = None;
                break;
            }
        }
        if self.now() >= seek_target {
            self.timeline.seek_target = None;
        }
        self.show_gravity();
        self.clock.restart();
        true
    }

    /// Steps the next frame: again with its recorded input, or with the present input.
    pub(in crate::runner) fn take_frame(&mut self) {
        let mut now = self.now();
        if self.timeline.is_empty() {
            let state = self.state();
            self.timeline.begin(state);
        }
        let (first, end) = (self.timeline.first(), self.timeline.end());
        if self.timeline.loops && self.playing && now >= end && first < end {
            self.seek(first);
            now = self.now();
        }
        if self.timeline.is_outdated(now) {
            self.timeline.compute_anew(now);
        }
        if self.timeline.input(now).is_none()
            && let Some(setup) = &self.setup
        {
            let duration = setup.frame_duration();
            if let Some(grab) = &mut self.interaction.grab {
                self.grab_follower.advance(&mut grab.displacement, duration);
            } else if let Some(pull) = &mut self.interaction.pull {
                self.grab_follower.advance(&mut pull.force, duration);
            }
        }
        let recorded = self.timeline.input(now);
        let (interaction, recorded_units) = match recorded {
            Some((input, true)) => (input.interaction.clone(), Some(input.units)),
            Some((input, false)) => (input.interaction.clone(), None),
            None => (self.interaction.clone(), None),
        };
        let is_of_now = recorded.is_none();
        self.is_disturbed |= interaction != Interaction::default();
        let units = self.advance(&interaction, recorded_units.as_ref());
        let reached = self.now();
        if is_of_now {
            let blade = self.interaction.blade.take();
            self.interaction.blade = blade.and_then(PointerBlade::next);
        }
        if recorded_units.is_none() && reached > now {
            if let Some(setup) = &self.setup {
                self.touches.record(now, &interaction, &self.panes, setup);
            }
            self.timeline.record(now, FrameInput { interaction, units });
            if self.timeline.keeps(reached) {
                let state = self.state();
                self.timeline.keep(state);
            }
        }
        self.show_gravity();
    }

    /// The user takes over from here.
    pub(in crate::runner) fn take_over(&mut self) {
        let now = self.now();
        if now < self.timeline.end() || self.timeline.seek_target.is_some() {
            self.timeline.forget_after(now);
            if !self.timeline.is_empty() {
                let state = self.state();
                self.timeline.keep(state);
            }
        }
        self.timeline.loops = false;
    }

    /// A parameter has changed: from here on frames are computed anew, with the input that the hand gave.
    pub(in crate::runner) fn parameters_changed(&mut self) {
        if self.timeline.is_empty() {
            return;
        }
        self.is_disturbed = true;
        let now = self.now();
        self.timeline.compute_anew(now);
        let state = self.state();
        self.timeline.keep(state);
    }

    /// Steps all methods that run; returns the work units that each had.
    pub(in crate::runner) fn advance(
        &mut self,
        interaction: &Interaction,
        recorded_units: Option<&FrameUnits>,
    ) -> FrameUnits {
        let mut units = [None; Method::ALL.len()];
        for (k, pane) in self.panes.iter_mut().enumerate() {
            if pane.state != PaneState::Ready {
                continue;
            }
            let Some(world) = &mut pane.world else {
                continue;
            };
            let pane_units = recorded_units.and_then(|units| *units.get(k)?);
            if let Some(slot) = units.get_mut(k) {
                *slot = pane_units.or(world.pace().map(FramePace::units));
            }
            if let Err(error) = world.step_within(interaction, pane_units) {
                pane.state = PaneState::Stopped(Fault::new(error.code(), error.to_string()));
                continue;
            }
            if *interaction == Interaction::default()
                && let Some(setup) = &self.setup
            {
                pane.forces.record(world, setup);
                self.reference.update_accuracy(pane);
            }
        }
        units
    }

    /// The present state of all methods.
    fn state(&self) -> KeptState {
        let kept = self.panes.iter().map(|pane| {
            pane.world.as_ref().map(|world| KeptPane {
                state: pane.state.clone(),
                world: world.snapshot(),
            })
        });
        KeptState {
            frame: self.now(),
            panes: kept.collect(),
        }
    }

    fn restore(&mut self, state: &KeptState) {
        for (pane, kept) in self.panes.iter_mut().zip(&state.panes) {
            let (Some(world), Some(kept)) = (&mut pane.world, kept) else {
                continue;
            };
            // what the user set is no part of a kept state, though the state of a model may hold it
            let set = self
                .timeline
                .parameters
                .values_of(pane.method, world.model());
            // states of another model are forgotten when it comes
            if world.restore(&kept.world).is_err() {
                continue;
            }
            pane.state.clone_from(&kept.state);
            for (name, value) in set {
                if world.model().parameter(&name).as_ref() != Ok(&value) {
                    // the model had it a moment ago
                    let _ = world.set_parameter(&name, value);
                }
            }
        }
    }

    /// Sets the switch of gravity to the state of the frame that is shown.
    fn show_gravity(&mut self) {
        let before = self.now().checked_sub(1);
        let shown = before.and_then(|frame| self.timeline.input(frame));
        if let Some((input, _)) = shown
            && self.now() < self.timeline.end()
        {
            self.interaction.gravity_on = input.interaction.gravity_on;
        }
    }
}
