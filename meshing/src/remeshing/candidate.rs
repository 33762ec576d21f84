//! A step of a decimation that waits for its turn.

use std::cmp::Ordering;

/// A step at two vertices, with the details that it needs; stale once the stamp of one of them has changed. The cheapest is the greatest; equal costs go by vertex numbers.
pub(crate) struct Candidate<T> {
    pub(crate) cost: f64,
    pub(crate) ends: [u32; 2],
    pub(crate) stamps: [u32; 2],
    /// how many limits have refused it
    pub(crate) level: usize,
    pub(crate) details: T,
}

impl<T> Ord for Candidate<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        (other.cost.total_cmp(&self.cost)).then_with(|| other.ends.cmp(&self.ends))
    }
}

impl<T> PartialOrd for Candidate<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> PartialEq for Candidate<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<T> Eq for Candidate<T> {}
