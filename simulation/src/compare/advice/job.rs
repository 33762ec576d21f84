//! An advice that is computed while the methods run in a window.

use std::ffi::OsString;
use std::sync::{Arc, Mutex};

use super::advise::{AdviceObserver, AdviceOptions, advise};
use super::choice::Goal;
use super::error::AdviceError;
use super::result::{Advice, TriedCandidate};
use crate::cache::AssetCache;
use crate::reference::Reference;
use crate::scenes::{ImportOptions, load};
use crate::setup::Setup;
use crate::threads::Background;
use crate::threads::lock::lock;
use crate::threads::priority::{in_own_pool, lower_priority};

/// How far an advice is.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AdviceProgress {
    /// What is being done now.
    pub stage: String,
    /// Finished share of that, 0 to 1, in whole per cent.
    pub fraction: f64,
    /// Candidates that have been tried.
    pub tried: usize,
    /// All candidates; 0 until the reference is there.
    pub of: usize,
    /// The one that was tried last, in words.
    pub last: String,
}

/// An advice that is computed in the background, by threads of the lowest priority. Dropping the job cancels it; finished bakes stay in the cache.
pub(crate) struct AdviceJob {
    work: Background<Result<Advice, AdviceError>>,
    state: Arc<Mutex<AdviceProgress>>,
}

impl AdviceJob {
    /// Starts it on the scene of `setup`, whose text comes from `source`.
    pub fn start(
        source: OsString,
        import: ImportOptions,
        setup: Arc<Setup>,
        goal: Goal,
        cache: AssetCache,
    ) -> Self {
        let state: Arc<Mutex<AdviceProgress>> = Arc::default();
        let mut observer = Watcher(Arc::clone(&state));
        let work = Background::start("advice", move |progress, results| {
            let work = || {
                let loaded = load(&source, &import)?;
                let options = AdviceOptions {
                    goal,
                    methods: None,
                    duration: None,
                    cache: &cache,
                };
                advise(&loaded, &setup, &options, &mut observer, progress)
            };
            // trials have as many threads as a pane has
            let found = in_own_pool("advice", 0, lower_priority, work);
            // a receiver that is gone means that nobody waits any more
            let _ = results.send(found);
        });
        Self { work, state }
    }

    /// How far it is.
    pub fn state(&self) -> AdviceProgress {
        let (stage, fraction) = self.work.state();
        let counted = lock(&self.state);
        AdviceProgress {
            stage,
            // whole per cent: the window need not be drawn more often
            fraction: (100.0 * fraction).floor() / 100.0,
            ..counted.clone()
        }
    }

    /// The result once it is there.
    pub fn take(&self) -> Option<Result<Advice, AdviceError>> {
        self.work.take()
    }
}

/// Counts candidates for [`AdviceJob::state`].
struct Watcher(Arc<Mutex<AdviceProgress>>);

impl AdviceObserver for Watcher {
    fn reference(&mut self, _: &Reference, candidates: usize, _: f64) {
        lock(&self.0).of = candidates;
    }

    fn tried(&mut self, number: usize, of: usize, tried: &TriedCandidate) {
        let mut state = lock(&self.0);
        let candidate = &tried.candidate;
        (state.tried, state.of) = (number, of);
        state.last = format!("{}, {}", candidate.method.name(), candidate.label());
    }
}
