//! A reference that is computed while the methods run, and an estimate before it.

use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, bounded};
use pliant_core::asset::Progress;

use super::compute::{estimate, reference};
use super::result::Reference;
use super::runs::Span;
use crate::cache::AssetCache;
use crate::compare::priority::{in_own_pool, lower_priority, modest_priority};
use crate::error::BuildError;
use crate::setup::Setup;

/// A job in the background, on one thread. It has two results: an estimate soon, and with the lowest priority the reference. Dropping it cancels it; what it had finished stays in
/// the cache.
pub struct ReferenceJob {
    outcomes: Receiver<Result<Reference, BuildError>>,
    progress: Progress,
}

impl ReferenceJob {
    /// Starts it for these frames of a scene.
    pub fn start(setup: Arc<Setup>, span: Span, cache: AssetCache) -> Self {
        let (sender, outcomes) = bounded(2);
        let progress = Progress::new();
        let watched = progress.clone();
        // a thread that cannot be started leaves a closed channel, which says so
        let _ = std::thread::Builder::new()
            .name("reference".into())
            .spawn(move || compute(&setup, &span, &cache, &watched, &sender));
        Self { outcomes, progress }
    }

    /// What it is doing, and the finished share of that.
    pub fn state(&self) -> (String, f64) {
        self.progress.state()
    }

    /// The next result if it is there. The last one is the reference, or an error.
    pub fn take(&self) -> Option<Result<Reference, BuildError>> {
        match self.outcomes.try_recv() {
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
    span: &Span,
    cache: &AssetCache,
    progress: &Progress,
    outcomes: &Sender<Result<Reference, BuildError>>,
) {
    let work = || {
        let keeps = |frame: usize| !span.is_touched() && setup.keeps_surface(frame);
        // a receiver that is gone means that another scene was opened; a scene that cannot be estimated has no reference either, for the same reason
        if let Ok(found) = estimate(setup, span, &keeps, cache, progress) {
            let _ = outcomes.send(Ok(found));
        }
        lower_priority();
        let _ = outcomes.send(reference(setup, span, &keeps, cache, progress));
    };
    in_own_pool("reference", 1, modest_priority, work);
}
