//! The request for a resolution sequence by tolerance.

use super::resolution_sequence::MOST_NODES;

/// A hierarchy by quality instead of by node counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ResolutionSequenceSpec {
    /// Number of levels; as many as even steps need if `None`, three at least.
    pub levels: Option<usize>,
    /// Largest distance (both ways) between the finest level and the input over the box diagonal.
    pub tolerance: f64,
    /// The most nodes that the finest level may have; it has more only where the coarsest that shows the body has.
    pub most_nodes: usize,
}

impl Default for ResolutionSequenceSpec {
    fn default() -> Self {
        Self {
            levels: None,
            tolerance: 0.01,
            most_nodes: MOST_NODES,
        }
    }
}

/// Why the finest level is farther from the input than asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shortfall {
    /// It would need more nodes than allowed.
    Nodes,
    /// So much was tried that nothing finer is, so that the time stays bounded.
    Work,
    /// Finer levels come no closer: something of the input has no thickness, or lies inside the body.
    Stalled,
}
