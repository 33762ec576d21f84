//! A reference that is computed while the methods run, and an estimate before it.

use std::sync::Arc;
use std::task::Poll;

use crossbeam_channel::Sender;
use pliant_core::asset::Progress;

use super::compute::{estimate, reference};
use super::kind::ReferenceKind;
use super::result::Reference;
use super::runs::Span;
use crate::cache::AssetCache;
use crate::error::BuildError;
use crate::setup::Setup;
use crate::threads::Background;
use crate::threads::priority::{in_own_pool, lower_priority, modest_priority};

/// A job in the background, on one thread. It has two results: an estimate soon, and with the lowest priority the reference. Dropping it cancels it; what it had finished stays in
/// the cache.
pub(crate) struct ReferenceJob(Background<Result<Reference, BuildError>>);

impl ReferenceJob {
    /// Starts it for these frames of a scene. Its kind is that of the scene for the frames of the script, and dynamic for those of a hand.
    pub fn start(setup: Arc<Setup>, span: Span, cache: AssetCache) -> Self {
        Self(Background::start("reference", move |progress, outcomes| {
            compute(&setup, &span, &cache, progress, outcomes);
        }))
    }

    /// What it is doing, and the finished share of that.
    pub fn state(&self) -> (String, f64) {
        self.0.state()
    }

    /// The next result if it is there. The last one is the reference, or an error.
    pub fn take(&self) -> Option<Result<Reference, BuildError>> {
        match self.0.poll() {
            Poll::Pending => None,
            Poll::Ready(found) => Some(found.unwrap_or(Err(BuildError::Cancelled))),
        }
    }
}

fn compute(
    setup: &Arc<Setup>,
    span: &Span,
    cache: &AssetCache,
    progress: &Progress,
    outcomes: &Sender<Result<Reference, BuildError>>,
) {
    // a hand moves as fast as it likes, and may hold the skin
    let kind = match span.is_touched() {
        true => ReferenceKind::Dynamic,
        false => ReferenceKind::of(setup.description.reference),
    };
    let work = || {
        let keeps = |frame: usize| !span.is_touched() && setup.keeps_surface(frame);
        // a receiver that is gone means that another scene was opened; a scene that cannot be estimated has no reference either, for the same reason
        if let Ok(found) = estimate(kind, setup, span, &keeps, cache, progress) {
            let _ = outcomes.send(Ok(found));
        }
        lower_priority();
        let found = reference(kind, setup, span, &keeps, cache, progress);
        let _ = outcomes.send(found);
    };
    in_own_pool("reference", 1, modest_priority, work);
}
