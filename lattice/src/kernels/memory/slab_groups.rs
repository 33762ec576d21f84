//! Number of neighbouring slabs that are summed together along z.

/// Most slabs of a group: the sums of as many have to stay in the nearer caches.
pub(crate) const MAX_GROUP_SLABS: usize = 8;

/// The same for goals, whose sums are not stored.
pub(crate) const MAX_GOAL_GROUP_SLABS: usize = 16;

/// Slabs of a group; groups start at multiples of it.
pub(crate) fn group_size(half_width: usize) -> usize {
    largest_group(MAX_GROUP_SLABS, half_width)
}

/// The same for goals.
pub(crate) fn goals_group_size(half_width: usize) -> usize {
    largest_group(MAX_GOAL_GROUP_SLABS, half_width)
}

/// A power of two, at most `most`, such that all windows of a group have a slab in common.
pub(crate) fn largest_group(most: usize, half_width: usize) -> usize {
    1 << most.min(2 * half_width + 1).ilog2()
}
