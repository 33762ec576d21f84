//! A reference that is computed while the methods run, and an estimate before it.

use std::sync::Arc;

use super::compute::{estimate, reference};
use super::kind::ReferenceKind;
use super::result::Reference;
use super::runs::Span;
use crate::cache::AssetCache;
use crate::error::BuildError;
use crate::setup::Setup;
use crate::threads::Background;
use crate::threads::priority::{in_own_pool, lower_priority, modest_priority};

/// A job in the background, on one thread. It has two results: an estimate soon, and with the lowest priority the reference, or an error. Dropping it cancels it; what it had finished stays
/// in the cache.
pub(crate) type ReferenceJob = Background<Result<Reference, BuildError>>;

/// Starts the job for these frames of a scene. Its kind is that of the scene for the frames of the script, and dynamic for those of a hand.
pub(crate) fn start_reference(setup: Arc<Setup>, span: Span, cache: AssetCache) -> ReferenceJob {
    // a hand moves as fast as it likes, and may hold the skin
    let kind = match span.is_touched() {
        true => ReferenceKind::Dynamic,
        false => ReferenceKind::of(setup.description.reference),
    };
    Background::start("reference", move |progress, outcomes| {
        let work = || {
            // a receiver that is gone means that another scene was opened; a scene that cannot be estimated has no reference either, for the same reason
            if let Ok(found) = estimate(kind, &setup, &span, &cache, progress) {
                let _ = outcomes.send(Ok(found));
            }
            lower_priority();
            let found = reference(kind, &setup, &span, &cache, progress);
            let _ = outcomes.send(found);
        };
        in_own_pool("reference", 1, modest_priority, work);
    })
}
