//! Parameters of contact between the two bodies of a pair.

use crate::detection::cached_contact::{CachedContact, contacts_of_pair};
use crate::detection::key::pair_key;

/// Parameters of contact between the two bodies of a pair.
#[derive(Clone, Copy)]
pub(crate) struct PairParameters<'a> {
    pub friction: f64,
    /// of the frame, s
    pub duration: f64,
    /// contacts of the last frame, ascending by key: those that carried force are not left out as readily
    pub cached: &'a [CachedContact],
}

impl<'a> PairParameters<'a> {
    /// Contacts of bodies `low` and `high` in the last frame.
    pub(super) fn cached_for(&self, low: u32, high: u32) -> &'a [CachedContact] {
        contacts_of_pair(self.cached, pair_key(low, high, false, 0))
    }
}
