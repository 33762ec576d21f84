//! A reference that is computed while the methods run.

use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, bounded};
use pliant_core::asset::Progress;

use super::compute::reference;
use super::result::Reference;
use crate::cache::AssetCache;
use crate::compare::priority::lower_priority;
use crate::error::BuildError;
use crate::setup::Setup;

/// A job in the background, on one thread of the lowest priority. Dropping it cancels it; what it had finished stays in the cache.
pub struct ReferenceJob {
    outcome: Receiver<Result<Reference, BuildError>>,
    progress: Progress,
}

impl ReferenceJob {
    /// Starts it for the scene's own duration.
    pub fn start(setup: Arc<Setup>, cache: AssetCache) -> Self {
        let (sender, outcome) = bounded(1);
        let progress = Progress::new();
        let watched = progress.clone();
        // a thread that cannot be started leaves a closed channel, which says so
        let _ = std::thread::Builder::new()
            .name("reference".into())
            .spawn(move || compute(&setup, &cache, &watched, &sender));
        Self { outcome, progress }
    }

    /// What it is doing, and the finished share of that.
    pub fn state(&self) -> (String, f64) {
        self.progress.state()
    }

    /// The result once it is there.
    pub fn take(&self) -> Option<Result<Reference, BuildError>> {
        match self.outcome.try_recv() {
            Ok(outcome) => Some(outcome),
            Err(crossbeam_channel::TryRecvError::Empty) => None,
            Err(crossbeam_channel::TryRecvError::Disconnected) => Some(Err(BuildError::Cancelled)),
        }
    }
}

impl Drop for ReferenceJob {
    fn drop(&mut self) {
        self.progress.cancel();
    }
}

fn compute(
    setup: &Arc<Setup>,
    cache: &AssetCache,
    progress: &Progress,
    outcome: &Sender<Result<Reference, BuildError>>,
) {
    let frames = setup.frames(setup.description.duration);
    let keeps = |frame: usize| setup.keeps_surface(frame);
    let work = || reference(setup, frames, &keeps, cache, progress);
    // a pool of its own, so that parallel sections of the panes do not wait for those of the reference
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .thread_name(|_| "reference".into())
        .start_handler(|_| lower_priority())
        .build();
    let found = match pool {
        Ok(pool) => pool.install(work),
        Err(_) => work(),
    };
    // a receiver that is gone means that another scene was opened
    let _ = outcome.send(found);
}
