//! The reference of a window, and how far each pane is from it.

use std::ops::Range;
use std::sync::Arc;

use pliant_core::scene::Method;

use super::touch_recorder::Touch;
use crate::cache::AssetCache;
use crate::reference::{Accuracy, Reference, ReferenceJob, Span, remarks};
use crate::runner::background::Threads;
use crate::runner::pane::MethodPane;
use crate::runner::snapshot::ReferenceStatus;
use crate::setup::Setup;

/// Scripts up to this duration (s) get a reference in the background.
const LONGEST: f64 = 10.0;

/// What the simulation thread knows of the reference: that of the script, or that of the last touch of the hand.
#[derive(Default)]
pub(in crate::runner) struct ReferenceWatch {
    job: Option<ReferenceJob>,
    pub(in crate::runner) status: ReferenceStatus,
    /// what is compared instead of the script
    touch: Option<Touch>,
    /// what there was of the script's reference before that
    of_script: ReferenceStatus,
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
        if let Some(reason) = why_none(setup, threads).or_else(|| why_no_script(setup)) {
            self.status = ReferenceStatus::Unavailable(reason);
            return;
        }
        let frames = setup.frames(setup.description.duration);
        self.begin(setup, cache, Span::of_script(frames));
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
        if why_none(setup, threads).is_some() {
            return false;
        }
        if self.touch.is_none() {
            self.of_script = std::mem::take(&mut self.status);
        }
        self.begin(setup, cache, touch.span.clone());
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
        self.status = std::mem::take(&mut self.of_script);
        let is_unfinished = match &self.status {
            ReferenceStatus::Computing { .. } | ReferenceStatus::Refining { .. } => true,
            ReferenceStatus::None | ReferenceStatus::Ready(_) | ReferenceStatus::Unavailable(_) => {
                false
            }
        };
        if is_unfinished {
            self.start(setup, cache, threads);
        }
        self.judge_all(panes);
    }

    fn begin(&mut self, setup: &Arc<Setup>, cache: &AssetCache, span: Span) {
        self.status = ReferenceStatus::Computing {
            stage: String::new(),
            fraction: 0.0,
        };
        self.job = Some(ReferenceJob::start(Arc::clone(setup), span, cache.clone()));
    }

    /// The frames of the touch that is compared, from when the reference begins.
    pub(in crate::runner) fn touched(&self) -> Option<Range<u64>> {
        let span = &self.touch.as_ref()?.span;
        Some(span.first..span.first + span.frames as u64)
    }

    /// Gives up what is under way: advice computes the same reference, which is in the cache then. Whether anything was.
    pub(in crate::runner) fn give_way(&mut self) -> bool {
        let was_running = self.job.take().is_some();
        if was_running {
            self.touch = None;
            self.status = ReferenceStatus::Unavailable("advice computes it now".into());
        }
        was_running
    }

    /// Takes over how far the job is; returns whether that is new. Panes are judged anew when it has a result.
    pub(in crate::runner) fn poll(&mut self, panes: &mut [MethodPane]) -> bool {
        let Some(job) = &self.job else {
            return false;
        };
        let Some(outcome) = job.take() else {
            let (stage, fraction) = job.state();
            // whole per cent: the window need not be drawn more often
            let fraction = (100.0 * fraction).floor() / 100.0;
            let status = match self.status.found() {
                Some(estimate) => ReferenceStatus::Refining {
                    estimate: Arc::clone(estimate),
                    stage,
                    fraction,
                },
                None => ReferenceStatus::Computing { stage, fraction },
            };
            let is_new = self.status != status;
            self.status = status;
            return is_new;
        };
        let estimate = self.status.found().cloned();
        self.status = match (outcome, estimate) {
            (Ok(found), _) if found.is_estimate() => ReferenceStatus::Refining {
                estimate: Arc::new(found),
                stage: String::new(),
                fraction: 0.0,
            },
            (Ok(found), _) => ReferenceStatus::Ready(Arc::new(found)),
            // an estimate is better than nothing
            (Err(_), Some(estimate)) => ReferenceStatus::Ready(estimate),
            (Err(error), None) => ReferenceStatus::Unavailable(error.reason()),
        };
        if !matches!(self.status, ReferenceStatus::Refining { .. }) {
            self.job = None;
        }
        self.judge_all(panes);
        true
    }

    /// Judges a pane after a frame that nobody disturbed.
    pub(in crate::runner) fn judge(&self, pane: &mut MethodPane) {
        if self.touch.is_none()
            && let Some(reference) = self.status.found()
        {
            pane.accuracy = pane.forces.judge(reference);
        }
    }

    /// What a pane felt in the touch was that of another model or other parameters.
    pub(in crate::runner) fn forget_pane(&mut self, k: usize) {
        let forces = self.touch.as_mut().and_then(|t| t.forces.get_mut(k));
        if let Some(forces) = forces {
            forces.clear();
        }
    }

    fn judge_all(&self, panes: &mut [MethodPane]) {
        for (k, pane) in panes.iter_mut().enumerate() {
            pane.accuracy = self
                .status
                .found()
                .and_then(|found| self.judged(k, pane, found));
        }
    }

    fn judged(&self, k: usize, pane: &MethodPane, found: &Reference) -> Option<Accuracy> {
        match &self.touch {
            Some(touch) => touch.judge(k, found),
            None => pane.forces.judge(found),
        }
    }
}

/// Why nothing is compared with a reference in a window.
fn why_none(setup: &Setup, threads: Threads) -> Option<String> {
    if threads == Threads::Shared {
        return Some("no thread is free for it here: the installed program computes it".into());
    }
    if setup.is_group() {
        return Some("a reference is computed for a lone body that does not touch itself".into());
    }
    if !setup.description.methods.contains(&Method::Adaptive) {
        return Some(
            "the reference is one of finite elements, which this scene does not ask for".into(),
        );
    }
    remarks(setup).into_iter().next()
}

/// Why the script is not compared without being asked for: that would keep the processor busy for long.
fn why_no_script(setup: &Setup) -> Option<String> {
    let duration = setup.description.duration;
    (duration > LONGEST).then(|| {
        format!(
            "the scene takes {duration:.0} s: `pliant compare --reference` computes its reference"
        )
    })
}
