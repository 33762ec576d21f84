//! The forces of a pane at each moment of the script, to be compared with the reference.

use crate::reference::{Accuracy, Reference};
use crate::setup::Setup;
use crate::world::World;

/// The forces of a pane at each moment of the script, as last seen.
#[derive(Default)]
pub(in crate::runner) struct ScriptForces {
    /// `forces[tool or grab][frame of the script]`, N; NaN where not seen yet
    forces: Vec<Vec<f64>>,
}

impl ScriptForces {
    /// Clears everything: after a reset, a change of a parameter or another model.
    pub(in crate::runner) fn clear(&mut self) {
        self.forces.clear();
    }

    /// Records the last frame of `world`.
    pub(in crate::runner) fn record(&mut self, world: &World, setup: &Setup) {
        let frames = setup.frames(setup.description.duration);
        let Some(script_frame) = script_frame_of(world, setup, frames) else {
            return;
        };
        for (k, force) in world.output().force_norms().enumerate() {
            if self.forces.len() <= k {
                self.forces.push(vec![f64::NAN; frames]);
            }
            self.forces[k][script_frame] = force;
        }
    }

    /// Compared with the reference; `None` until all frames that count were seen.
    pub(in crate::runner) fn accuracy(&self, reference: &Reference) -> Option<Accuracy> {
        compare_forces(&self.forces, reference)
    }
}

/// Curves of forces (N) compared with a reference; `None` where a frame that counts is missing.
pub(super) fn compare_forces(forces: &[Vec<f64>], reference: &Reference) -> Option<Accuracy> {
    let forces: Vec<&[f64]> = forces.iter().map(Vec::as_slice).collect();
    let accuracy = reference.accuracy(&forces, &[], Accuracy::default());
    accuracy.force_error.filter(|e| e.is_finite())?;
    Some(accuracy)
}

/// The frame of the script that was last stepped; `None` past its end.
///
/// A script that repeats with the period of the reference gives the same forces again. Any other script is recorded once.
fn script_frame_of(world: &World, setup: &Setup, frames: usize) -> Option<usize> {
    let last = usize::try_from(world.frame_index().checked_sub(1)?).ok()?;
    let paths = setup.tools.iter().map(|t| &t.path);
    let mut paths = paths.chain(setup.grabs.iter().map(|g| &g.path));
    let repeats = paths.all(|path| {
        let whole =
            |period: f64| ((period * setup.description.frame_rate) - frames as f64).abs() < 0.5;
        path.duration() == 0.0 || path.period().is_some_and(whole)
    });
    if repeats {
        Some(last % frames)
    } else {
        (last < frames).then_some(last)
    }
}
