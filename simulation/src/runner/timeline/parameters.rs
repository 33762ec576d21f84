//! Parameters that the user has set, and the frames from which they act.

use pliant_core::inspect::ParameterValue;
use pliant_core::model::DeformableModel;
use pliant_core::scene::Method;

use crate::setup::hand::{HandParameter, present_values};

/// Every value that the models of the panes took, in the order in which they took it. A value acts in the frames that were computed after it was set: those that follow, and
/// earlier ones that are computed anew. Frames therefore never descend.
#[derive(Debug, Default)]
pub(in crate::runner) struct ParameterLog {
    changes: Vec<HandParameter>,
}

impl ParameterLog {
    /// What was set.
    pub fn changes(&self) -> &[HandParameter] {
        &self.changes
    }

    /// The values that `model` has now of what was set of `method`.
    pub fn values_of(
        &self,
        method: Method,
        model: &dyn DeformableModel,
    ) -> Vec<(String, ParameterValue)> {
        let changes = self.changes.iter().filter(|c| c.method == method);
        present_values(changes, model)
    }

    /// A parameter was set before the frame that begins at its frame.
    pub fn set(&mut self, change: HandParameter) {
        self.computed(change.frame);
        let of_method = |before: &&mut HandParameter| before.method == change.method;
        let last = self.changes.iter_mut().rev().find(of_method);
        match last.filter(|last| last.frame == change.frame && last.is_of(&change)) {
            // no frame came between: a value is being dragged
            Some(last) => last.value = change.value,
            None => self.changes.push(change),
        }
    }

    /// The frame that starts at `frame` is computed with all changes, also with those of later frames.
    pub fn computed(&mut self, frame: u64) {
        let later = self.changes.iter_mut().rev();
        for change in later.take_while(|change| change.frame > frame) {
            change.frame = frame;
        }
    }

    /// `method` has a new model at `frame`, with nothing set but `values`.
    pub fn begin_with(
        &mut self,
        method: Method,
        frame: u64,
        values: Vec<(String, ParameterValue)>,
    ) {
        self.forget(method);
        for (name, value) in values {
            self.set(HandParameter {
                frame,
                method,
                name,
                value,
            });
        }
    }

    /// `method` has no model any more.
    pub fn forget(&mut self, method: Method) {
        self.changes.retain(|change| change.method != method);
    }

    /// Forgets everything: another scene.
    pub fn clear(&mut self) {
        self.changes.clear();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::runner::command::Command;
    use crate::runner::simulation::Simulation;
    use crate::world::testing::{pad, setup_of};

    fn set(log: &mut ParameterLog, frame: u64, name: &str, value: f64) {
        log.set(HandParameter {
            frame,
            method: Method::Lattice,
            name: name.into(),
            value: ParameterValue::Number(value),
        });
    }

    fn frames_and_names(log: &ParameterLog) -> Vec<(u64, &str)> {
        let changes = log.changes().iter();
        changes.map(|c| (c.frame, c.name.as_str())).collect()
    }

    #[test]
    fn a_dragged_value_is_one_change_a_frame_and_frames_computed_anew_have_all_that_was_set() {
        let mut log = ParameterLog::default();
        for value in [1.0, 2.0, 3.0] {
            set(&mut log, 4, "a", value);
        }
        set(&mut log, 5, "a", 4.0);
        set(&mut log, 9, "b", 1.0);
        assert_eq!(frames_and_names(&log), [(4, "a"), (5, "a"), (9, "b")]);
        assert_eq!(log.changes()[0].value, ParameterValue::Number(3.0));
        // back in time: what is computed there has the last values
        log.computed(5);
        assert_eq!(frames_and_names(&log), [(4, "a"), (5, "a"), (5, "b")]);
        set(&mut log, 2, "c", 1.0);
        assert_eq!(
            frames_and_names(&log),
            [(2, "a"), (2, "a"), (2, "b"), (2, "c")]
        );
        let kept = vec![("b".to_string(), ParameterValue::Flag(true))];
        log.begin_with(Method::Lattice, 7, kept);
        assert_eq!(frames_and_names(&log), [(7, "b")]);
    }

    #[test]
    fn an_explained_vertex_changes_no_frame_and_is_not_written() {
        let setup = Arc::new(setup_of(pad("", "")));
        let mut simulation = Simulation::of_scene(&setup, &[Method::Adaptive], None, None);
        for _ in 0..4 {
            simulation.take_frame();
        }
        simulation.execute(Command::SetParameter {
            method: Method::Adaptive,
            name: "explained_vertex".into(),
            value: ParameterValue::Number(0.0),
        });
        assert!(simulation.timeline.parameters.changes().is_empty());
        assert!(!simulation.is_disturbed);
        let mut worlds = simulation.worlds();
        let stats = worlds.next().expect("it runs").model().stats();
        assert!(stats.explanation.is_some());
    }

    #[test]
    fn what_was_set_stays_where_the_window_goes_back_before_it() {
        let setup = Arc::new(setup_of(pad("", "")));
        // its state holds its parameters
        let mut simulation = Simulation::of_scene(&setup, &[Method::Quasistatic], None, None);
        for _ in 0..8 {
            simulation.take_frame();
        }
        let value = ParameterValue::Number(5.0e4);
        simulation.execute(Command::SetParameter {
            method: Method::Quasistatic,
            name: "young".into(),
            value: value.clone(),
        });
        simulation.go_to(0);
        assert_eq!(simulation.now(), 0);
        simulation.take_frame();
        // what is written of the frame is what it was computed with
        assert_eq!(
            frames_and_names(&simulation.timeline.parameters),
            [(0, "young")]
        );
        let mut worlds = simulation.worlds();
        let world = worlds.next().expect("it runs");
        assert_eq!(world.model().parameter("young"), Ok(value));
    }
}
