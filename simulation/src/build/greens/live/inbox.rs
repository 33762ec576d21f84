//! What has come from the bake and waits for the model.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pliant_quasistatic::GreensAsset;
use pliant_quasistatic::asset::FinishedColumns;

/// What has come from the bake and is not in the model yet.
#[derive(Default)]
pub(super) struct Inbox {
    pub columns: VecDeque<FinishedColumns>,
    pub whole: Option<Arc<GreensAsset>>,
}

/// The same, reached by both threads.
pub(super) type SharedInbox = Arc<Mutex<Inbox>>;

/// Locks; a thread that panicked leaves what it had put in.
pub(super) fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}
