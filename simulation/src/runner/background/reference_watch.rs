//! The reference of a window, and how far each pane is from it.

use std::sync::Arc;

use pliant_core::scene::Method;

use super::stages::Threads;
use crate::cache::AssetCache;
use crate::error::BuildError;
use crate::reference::{ReferenceJob, remarks};
use crate::runner::pane::MethodPane;
use crate::runner::snapshot::ReferenceStatus;
use crate::setup::Setup;

/// Scenes up to this duration (s) get a reference in the background.
const LONGEST: f64 = 10.0;

/// What the simulation thread knows of the reference.
#[derive(Default)]
pub(in crate::runner) struct ReferenceWatch {
    job: Option<ReferenceJob>,
    pub(in crate::runner) status: ReferenceStatus,
}

impl ReferenceWatch {
    /// Begins to compute the reference of a scene whose methods can run.
    pub(in crate::runner) fn start(
        &mut self,
        setup: &Arc<Setup>,
        cache: &AssetCache,
        threads: Threads,
    ) {
        if let Some(reason) = why_none(setup, threads) {
            self.status = ReferenceStatus::Unavailable(reason);
            return;
        }
        self.status = ReferenceStatus::Computing {
            stage: String::new(),
            fraction: 0.0,
        };
        self.job = Some(ReferenceJob::start(Arc::clone(setup), cache.clone()));
    }

    /// Gives up what is under way: advice computes the same reference, which is in the cache then. Whether anything was.
    pub(in crate::runner) fn give_way(&mut self) -> bool {
        let was_running = self.job.take().is_some();
        if was_running {
            self.status = ReferenceStatus::Unavailable("advice computes it now".into());
        }
        was_running
    }

    /// Takes over how far the job is; returns whether that is new. Panes are judged anew when it has ended.
    pub(in crate::runner) fn poll(&mut self, panes: &mut [MethodPane]) -> bool {
        let Some(job) = &self.job else {
            return false;
        };
        let Some(outcome) = job.take() else {
            let (stage, fraction) = job.state();
            // whole per cent: the window need not be drawn more often
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
            for pane in panes {
                pane.accuracy = pane.forces.judge(reference);
            }
        }
        true
    }

    /// Judges a pane after a frame that nobody disturbed.
    pub(in crate::runner) fn judge(&self, pane: &mut MethodPane) {
        if let ReferenceStatus::Ready(reference) = &self.status {
            pane.accuracy = pane.forces.judge(reference);
        }
    }
}

/// Why no reference is computed without being asked for: it would mean little, or keep the processor busy for long.
fn why_none(setup: &Setup, threads: Threads) -> Option<String> {
    if threads == Threads::Shared {
        return Some("no thread is free for it here: the installed program computes it".into());
    }
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
