//! Snapshots for the window.

use std::sync::Arc;

use super::distances::measure;
use super::{MEASURED_ALWAYS, PaneSnapshot};
use crate::runner::simulation::Simulation;
use crate::setup::Setup;

impl Simulation {
    /// Hands the state of all panes to the window.
    pub(in crate::runner) fn publish(&mut self) {
        self.version += 1;
        let timeline = self.timeline.status(self.now());
        let snapshot = self.writer.buffer();
        snapshot.setup.clone_from(&self.setup);
        snapshot.scene_number = self.scene_number;
        snapshot.is_prepared_again = self.is_prepared_again;
        snapshot.version = self.version;
        snapshot.playing = self.playing;
        snapshot.timeline = timeline;
        snapshot.gravity_on = self.interaction.gravity_on;
        snapshot.pull_force = self.interaction.pull.as_ref().map(|pull| pull.force);
        snapshot.speed = self.clock.speed();
        snapshot.frame_ms = self.frame_ms;
        snapshot.frames = self.frames;
        snapshot.commands = self.commands_of_frame;
        snapshot.began_again.clone_from(&self.began_again);
        snapshot.reference.clone_from(&self.reference.status);
        snapshot.touched = self.reference.touched();
        snapshot.advice.clone_from(&self.advice.status);
        match &mut self.servo {
            Some(servo) => snapshot
                .force_feedback
                .get_or_insert_default()
                .clone_from(servo.force_feedback()),
            None => snapshot.force_feedback = None,
        }
        snapshot.open_error.clone_from(&self.open_error);
        snapshot.opening.clone_from(&self.opening);
        snapshot.written_scene.clone_from(&self.written);
        // a method that stopped stays behind: time and tools are those of the one that is furthest on
        let worlds = self.panes.iter().filter_map(|pane| pane.world.as_ref());
        let furthest = worlds.max_by_key(|w| w.frame_index());
        snapshot.tools.clear();
        if let Some(world) = furthest {
            snapshot.tools.extend_from_slice(world.tools());
        }
        // a scene that is still prepared is at its beginning
        snapshot.time = furthest.map_or(0.0, |world| world.time());
        snapshot.panes.truncate(self.panes.len());
        while snapshot.panes.len() < self.panes.len() {
            let method = self.panes[snapshot.panes.len()].method;
            snapshot.panes.push(PaneSnapshot::waiting(method));
        }
        let measures = |setup: &&Arc<Setup>| {
            self.measures_skins || setup.skin().vertex_count() <= MEASURED_ALWAYS
        };
        let measured = self.setup.as_ref().filter(measures);
        for (shown, pane) in snapshot.panes.iter_mut().zip(&mut self.panes) {
            pane.write(shown, &self.rest, measured.is_some());
        }
        if let Some(setup) = measured {
            measure(&mut snapshot.panes, &setup.areas);
        }
        self.recent.write(snapshot);
        self.writer.publish();
        (self.wake)();
    }
}
