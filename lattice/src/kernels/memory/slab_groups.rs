//! How many neighbouring slabs are summed together along z.

/// Most slabs of a group: the sums of as many have to stay in the nearer caches.
pub(crate) const MOST: usize = 8;

/// And where sums go no further than into goals.
pub(crate) const MOST_GOALS: usize = 16;

/// Slabs of a group, at whose multiples groups begin.
pub(crate) fn group_size(half_width: usize) -> usize {
    group_of(MOST, half_width)
}

/// The same for goals.
pub(crate) fn goals_group_size(half_width: usize) -> usize {
    group_of(MOST_GOALS, half_width)
}

/// A power of two, at most `most`, such that all windows of a group have a slab in common.
pub(crate) fn group_of(most: usize, half_width: usize) -> usize {
    1 << most.min(2 * half_width + 1).ilog2()
}
