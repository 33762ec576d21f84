//! The reference of a window, and how far each pane is from it.

use std::sync::Arc;

use pliant_core::math::Vec3;
use pliant_core::scene::Method;

use crate::cache::AssetCache;
use crate::error::BuildError;
use crate::reference::{Accuracy, Reference, ReferenceJob, remarks};
use crate::runner::lane::Lane;
use crate::setup::Setup;
use crate::snapshot::ReferenceStatus;
use crate::world::World;

/// Scenes up to this duration (s) get a reference in the background.
const LONGEST: f64 = 10.0;

/// What the simulation thread knows of the reference.
#[derive(Default)]
pub(super) struct Watch {
    job: Option<ReferenceJob>,
    pub(super) status: ReferenceStatus,
}

impl Watch {
    /// Begins to compute the reference of a scene whose methods can run.
    pub(super) fn start(&mut self, setup: &Arc<Setup>, cache: &AssetCache) {
        if let Some(reason) = why_none(setup) {
            self.status = ReferenceStatus::Unavailable(reason);
            return;
        }
        self.status = ReferenceStatus::Computing {
            stage: String::new(),
            fraction: 0.0,
        };
        self.job = Some(ReferenceJob::start(Arc::clone(setup), cache.clone()));
    }

    /// Takes over how far the job is; whether that is new. Panes are judged anew when it has ended.
    pub(super) fn poll(&mut self, lanes: &mut [Lane]) -> bool {
        let Some(job) = &self.job else {
            return false;
        };
        let Some(outcome) = job.take() else {
            let (stage, fraction) = job.state();
            // whole per cents: nothing has to be drawn more often
            let fraction = (100.0 * fraction).floor() / 100.0;
            let status = ReferenceStatus::Computing { stage, fraction };
            let is_new = self.status != status;
            self.status = status;
            return is_new;
        };
        self.job = None;
        self.status = match outcome {
            Ok(reference) => ReferenceStatus::Ready(Arc::new(reference)),
            Err(BuildError::NotApplicable { reason, .. }) => ReferenceStatus::Unavailable(reason),
            Err(error) => ReferenceStatus::Unavailable(error.to_string()),
        };
        if let ReferenceStatus::Ready(reference) = &self.status {
            for lane in lanes {
                lane.accuracy = lane.seen.judge(reference);
            }
        }
        true
    }

    /// Judges a pane after a frame that nobody disturbed.
    pub(super) fn judge(&self, lane: &mut Lane) {
        if let ReferenceStatus::Ready(reference) = &self.status {
            lane.accuracy = lane.seen.judge(reference);
        }
    }
}

/// Why nothing is computed unasked: it would mean little, or keep the processor busy for long.
fn why_none(setup: &Setup) -> Option<String> {
    let description = &setup.description;
    if setup.is_group() {
        return Some("a reference is computed for a lone body that does not touch itself".into());
    }
    if !description.methods.contains(&Method::Adaptive) {
        return Some(
            "the reference is one of finite elements, which this scene does not ask for".into(),
        );
    }
    if let Some(remark) = remarks(setup).into_iter().next() {
        return Some(remark);
    }
    (description.duration > LONGEST).then(|| {
        format!(
            "the scene takes {:.0} s: `pliant compare --reference` computes its reference",
            description.duration
        )
    })
}

/// The forces of a pane at each moment of the script, as last seen.
#[derive(Default)]
pub(super) struct Seen {
    /// `forces[tool or grab][frame of the script]`, N; NaN where not seen yet
    forces: Vec<Vec<f64>>,
}

impl Seen {
    /// Forgets everything: after a reset, a parameter or another model.
    pub(super) fn clear(&mut self) {
        self.forces.clear();
    }

    /// Takes over the last frame of `world`.
    pub(super) fn record(&mut self, world: &World, setup: &Setup) {
        let frames = setup.frames(setup.description.duration);
        let Some(moment) = moment_of(world, setup, frames) else {
            return;
        };
        let out = world.output();
        let tools = out.wrenches.iter().map(|w| w.force.norm());
        let forces = tools.chain(out.grab_forces.iter().map(Vec3::norm));
        for (k, force) in forces.enumerate() {
            if self.forces.len() <= k {
                self.forces.push(vec![f64::NAN; frames]);
            }
            self.forces[k][moment] = force;
        }
    }

    /// Compared with the reference; `None` until all frames that count were seen.
    fn judge(&self, reference: &Reference) -> Option<Accuracy> {
        let forces: Vec<&[f64]> = self.forces.iter().map(Vec::as_slice).collect();
        let accuracy = reference.judge(&forces, &[], Accuracy::default());
        accuracy.force_error.filter(|e| e.is_finite())?;
        Some(accuracy)
    }
}

/// The frame of the script that was last stepped. A script that starts again gives the same forces again, where it takes as long as the reference; another one is seen once.
fn moment_of(world: &World, setup: &Setup, frames: usize) -> Option<usize> {
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
