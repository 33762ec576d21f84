//! Distances in the order of their size, for a heap.

/// A distance, m; within [`std::cmp::Reverse`] a heap gives the smallest first.
#[derive(PartialEq)]
pub(crate) struct OrderedDistance(pub f64);

impl Eq for OrderedDistance {}

impl PartialOrd for OrderedDistance {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for OrderedDistance {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}
