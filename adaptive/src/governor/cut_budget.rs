//! What a cut may cost in a frame.

/// What a cut may cost, in prices of its tetrahedra.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CutBudget {
    /// What a frame may cost in all.
    pub budget: u64,
    /// Most for a cut that is there.
    pub most: u64,
    /// Most for a cut that changes: the change itself has its price.
    pub most_changed: u64,
    /// Whether a cut may cost more than it does: soon after it cost too much it may not.
    pub may_grow: bool,
}
