//! The advice that a window asked for.

use std::ffi::OsString;
use std::sync::Arc;

use crate::cache::AssetCache;
use crate::compare::advice::{AdviceError, AdviceJob, Goal};
use crate::error::BuildError;
use crate::runner::snapshot::{AdviceStatus, PaneFault};
use crate::scenes::ImportOptions;
use crate::setup::Setup;

/// What the simulation thread knows of the advice.
#[derive(Default)]
pub(in crate::runner) struct AdviceWatch {
    job: Option<AdviceJob>,
    pub(in crate::runner) status: AdviceStatus,
}

impl AdviceWatch {
    /// Begins to look for an advice on the open scene.
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

    /// Says that none can be looked for, where everything shares one thread.
    pub(in crate::runner) fn refuse(&mut self) {
        self.status = AdviceStatus::Failed(PaneFault {
            code: "NoThreads".into(),
            reason: "advice takes minutes of a thread of its own, and there is none here: use `pliant advise` or the window of the installed program".into(),
        });
    }

    /// Gives up what is under way; an advice that is there stays.
    pub(in crate::runner) fn cancel(&mut self) {
        if self.job.take().is_some() {
            self.status = AdviceStatus::None;
        }
    }

    /// Whether it is being looked for.
    pub(in crate::runner) fn is_running(&self) -> bool {
        self.job.is_some()
    }

    /// Takes over how far the job is; whether that is new.
    pub(in crate::runner) fn poll(&mut self) -> bool {
        let Some(job) = &self.job else {
            return false;
        };
        let status = match job.take() {
            None => AdviceStatus::Running(job.state()),
            Some(Ok(advice)) => AdviceStatus::Ready(Arc::new(advice)),
            Some(Err(AdviceError::Build(BuildError::Cancelled))) => AdviceStatus::None,
            Some(Err(error)) => AdviceStatus::Failed(PaneFault {
                code: error.code(),
                reason: error.to_string(),
            }),
        };
        if !matches!(status, AdviceStatus::Running(_)) {
            self.job = None;
        }
        let is_new = self.status != status;
        self.status = status;
        is_new
    }
}
