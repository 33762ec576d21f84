//! The reference of a window, and how far each pane is from it.

use std::ops::Range;
use std::sync::Arc;

use pliant_core::scene::Method;

use super::touch_recorder::Touch;
use crate::cache::AssetCache;
use crate::reference::{
    Accuracy, Reference, ReferenceJob, Span, ignored_key_notes, start_reference,
};
use crate::runner::background::Threads;
use crate::runner::pane::MethodPane;
use crate::runner::snapshot::ReferenceStatus;
use crate::setup::Setup;

/// Scripts up to this duration (s) get a reference in the background.
const MAX_SCRIPT_DURATION: f64 = 10.0;

/// The reference of the simulation thread: that of the script, or that of the last touch of the hand.
#[derive(Default)]
pub(in crate::runner) struct ReferenceWatch {
    job: Option<ReferenceJob>,
    pub(in crate::runner) status: ReferenceStatus,
    /// the touch that is compared instead of the script
    touch: Option<Touch>,
    /// the status of the script's reference meanwhile
    script_status: ReferenceStatus,
}

impl ReferenceWatch {
    /// Begins to compute the reference of the script of a scene whose methods can run.
    pub(in crate::runner) fn start(
        &mut self,
        setup: &Arc<Setup>,
        cache: &AssetCache,
        threads: Threads,
    ) {
        self.touch = None;
        if let Some(reason) =
            unavailable_reason(setup, threads).or_else(|| script_unavailable_reason(setup))
        {
            self.status = ReferenceStatus::Unavailable(reason);
            return;
        }
        let frames = setup.frames(setup.description.duration);
        self.start_job(setup, cache, Span::of_script(frames));
    }

    /// Begins to compute the reference of a touch, where there can be one. Whether it did.
    pub(in crate::runner) fn compare(
        &mut self,
        touch: Touch,
        setup: &Arc<Setup>,
        cache: &AssetCache,
        threads: Threads,
        panes: &mut [MethodPane],
    ) -> bool {
        if unavailable_reason(setup, threads).is_some() {
            return false;
        }
        if self.touch.is_none() {
            self.script_status = std::mem::take(&mut self.status);
        }
        self.start_job(setup, cache, touch.span.clone());
        self.touch = Some(touch);
        for pane in panes {
            pane.accuracy = None;
        }
        true
    }

    /// Shows the reference of the script again, which goes on where it was.
    pub(in crate::runner) fn show_script(
        &mut self,
        setup: &Arc<Setup>,
        cache: &AssetCache,
        threads: Threads,
        panes: &mut [MethodPane],
    ) {
        if self.touch.take().is_none() {
            return;
        }
        self.job = None;
        self.status = std::mem::take(&mut self.script_status);
        if matches!(self.status, ReferenceStatus::Computing { .. }) {
            self.start(setup, cache, threads);
        }
        self.update_accuracies(panes);
    }

    fn start_job(&mut self, setup: &Arc<Setup>, cache: &AssetCache, span: Span) {
        self.status = computing(None, String::new(), 0.0);
        self.job = Some(start_reference(Arc::clone(setup), span, cache.clone()));
    }

    /// The frames of the touch that is compared, from when the reference begins.
    pub(in crate::runner) fn touched(&self) -> Option<Range<u64>> {
        let span = &self.touch.as_ref()?.span;
        Some(span.first..span.first + span.frames as u64)
    }

    /// Cancels the job, because advice computes the same reference and leaves it in the cache. Returns whether there was one.
    pub(in crate::runner) fn cancel_for_advice(&mut self) -> bool {
        let was_running = self.job.take().is_some();
        if was_running {
            self.touch = None;
            self.status = ReferenceStatus::Unavailable("advice computes it now".into());
        }
        was_running
    }

    /// Updates the status from the job; returns whether it changed. A result updates the accuracy of all panes.
    pub(in crate::runner) fn poll(&mut self, panes: &mut [MethodPane]) -> bool {
        let Some(job) = &self.job else {
            return false;
        };
        let Some(outcome) = job.take() else {
            let (stage, fraction) = job.state();
            // whole per cent: the window need not be drawn more often
            let fraction = (100.0 * fraction).floor() / 100.0;
            let is_new = !matches!(&self.status, ReferenceStatus::Computing { stage: s, fraction: f, .. } if *s == stage && *f == fraction);
            self.status = computing(self.status.found().cloned(), stage, fraction);
            return is_new;
        };
        let estimate = self.status.found().cloned();
        self.status = match (outcome, estimate) {
            (Ok(found), _) if found.is_estimate() => {
                computing(Some(Arc::new(found)), String::new(), 0.0)
            }
            (Ok(found), _) => ReferenceStatus::Ready(Arc::new(found)),
            // an estimate is better than nothing
            (Err(_), Some(estimate)) => ReferenceStatus::Ready(estimate),
            (Err(error), None) => ReferenceStatus::Unavailable(error.reason()),
        };
        if !matches!(self.status, ReferenceStatus::Computing { .. }) {
            self.job = None;
        }
        self.update_accuracies(panes);
        true
    }

    /// Compares a pane with the reference after a frame without a touch.
    pub(in crate::runner) fn update_accuracy(&self, pane: &mut MethodPane) {
        if self.touch.is_none()
            && let Some(reference) = self.status.found()
        {
            pane.accuracy = pane.forces.accuracy(reference);
        }
    }

    /// Clears the forces of a pane in the touch, because its model or its parameters have changed.
    pub(in crate::runner) fn clear_pane_forces(&mut self, k: usize) {
        let forces = self.touch.as_mut().and_then(|t| t.forces.get_mut(k));
        if let Some(forces) = forces {
            forces.clear();
        }
    }

    fn update_accuracies(&self, panes: &mut [MethodPane]) {
        for (k, pane) in panes.iter_mut().enumerate() {
            pane.accuracy = self
                .status
                .found()
                .and_then(|found| self.accuracy(k, pane, found));
        }
    }

    fn accuracy(&self, k: usize, pane: &MethodPane, found: &Reference) -> Option<Accuracy> {
        match &self.touch {
            Some(touch) => touch.accuracy(k, found),
            None => pane.forces.accuracy(found),
        }
    }
}

fn computing(estimate: Option<Arc<Reference>>, stage: String, fraction: f64) -> ReferenceStatus {
    ReferenceStatus::Computing {
        estimate,
        stage,
        fraction,
    }
}

/// Why a scene has no reference in a window, in a short line and a longer one; `None` where it has.
fn unavailable_reason(setup: &Setup, threads: Threads) -> Option<String> {
    if threads == Threads::Shared {
        return Some("a web page has no thread for it\nthe installed program computes it".into());
    }
    if setup.is_group() {
        return Some(
            "the bodies touch each other or themselves\na reference can be computed only for a single body without self-contact".into(),
        );
    }
    if !setup.description.methods.contains(&Method::Adaptive) {
        return Some(
            "the scene does not list the adaptive method\nthe reference uses its finite elements"
                .into(),
        );
    }
    ignored_key_notes(setup).into_iter().next()
}

/// Why the script gets no reference in the background: its computation would take too long.
fn script_unavailable_reason(setup: &Setup) -> Option<String> {
    let duration = setup.description.duration;
    (duration > MAX_SCRIPT_DURATION).then(|| {
        format!(
            "the scene takes {duration:.0} s\n`pliant compare --reference` computes its reference"
        )
    })
}
