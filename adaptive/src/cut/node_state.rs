//! Where a node stands relative to a cut.

/// Where a node stands relative to the cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeState {
    /// It moves: it has mass and feels forces.
    Active,
    /// Its descendants move in its place.
    Refined,
    /// An ancestor moves in its place.
    Dormant,
}
