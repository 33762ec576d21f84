//! What the two bodies of a pair have in common.

use crate::detection::key::{names_pair, pair_key};
use crate::detection::known::Known;

/// What pairs of bodies have in common.
#[derive(Clone, Copy)]
pub(crate) struct PairRule<'a> {
    pub friction: f64,
    /// of the frame, s
    pub duration: f64,
    /// rows of the last frame, ascending: those that carried are not left out as readily
    pub known: &'a [Known],
}

impl<'a> PairRule<'a> {
    /// Rows that bodies `low` and `high` had in the last frame.
    pub(super) fn known_of(&self, low: u32, high: u32) -> &'a [Known] {
        let from = pair_key(low, high, false, 0);
        let tail = &self.known[self.known.partition_point(|k| k.key < from)..];
        // a few dozen at most
        let count = tail.iter().take_while(|k| names_pair(k.key, from)).count();
        &tail[..count]
    }
}
