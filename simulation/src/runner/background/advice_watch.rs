//! The advice that a window asked for.

use std::ffi::OsString;
use std::sync::Arc;

use crate::cache::AssetCache;
use crate::compare::advice::{AdviceError, AdviceJob, Goal};
use crate::error::{BuildError, Fault};
use crate::runner::snapshot::AdviceStatus;
use crate::scenes::ImportOptions;
use crate::setup::Setup;

/// The advice of the simulation thread.
#[derive(Default)]
pub(in crate::runner) struct AdviceWatch {
    job: Option<AdviceJob>,
    pub(in crate::runner) status: AdviceStatus,
}

impl AdviceWatch {
    /// Starts to compute an advice on the open scene.
    pub(in crate::runner) fn start(
        &mut self,
        (source, import): (OsString, ImportOptions),
        setup: Arc<Setup>,
        goal: Goal,
        cache: AssetCache,
    ) {
        self.job = Some(AdviceJob::start(source, import, setup, goal, cache));
        self.poll();
    }

    /// Refuses an advice where everything shares one thread.
    pub(in crate::runner) fn refuse(&mut self) {
        let reason = "advice needs a thread of its own for some minutes, and a web page has none: use `pliant advise` or the window of the installed program";
        self.status = AdviceStatus::Failed(Fault::new("NoThreads", reason));
    }

    /// Cancels a running job; a finished advice stays.
    pub(in crate::runner) fn cancel(&mut self) {
        if self.job.take().is_some() {
            self.status = AdviceStatus::None;
        }
    }

    /// Whether it is being computed.
    pub(in crate::runner) fn is_running(&self) -> bool {
        self.job.is_some()
    }

    /// Updates the status from the job; returns whether it changed.
    pub(in crate::runner) fn poll(&mut self) -> bool {
        let Some(job) = &self.job else {
            return false;
        };
        let status = match job.take() {
            None => AdviceStatus::Running(job.state()),
            Some(Ok(advice)) => AdviceStatus::Ready(Arc::new(advice)),
            Some(Err(AdviceError::Build(BuildError::Cancelled))) => AdviceStatus::None,
            Some(Err(error)) => AdviceStatus::Failed(Fault::new(error.code(), error.to_string())),
        };
        if !matches!(status, AdviceStatus::Running(_)) {
            self.job = None;
        }
        let is_new = match (&self.status, &status) {
            (AdviceStatus::Running(before), AdviceStatus::Running(now)) => before != now,
            _ => true,
        };
        self.status = status;
        is_new
    }
}
