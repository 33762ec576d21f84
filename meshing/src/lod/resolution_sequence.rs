//! Levels of one body, coarse to fine, and the request for them by tolerance.

use super::level::Level;
use super::shape::Shape;

/// Most nodes of a level that is refined beyond its target, or by tolerance.
pub const MAX_NODES: usize = 120_000;

/// A hierarchy of levels with notes.
#[derive(Debug, Clone, PartialEq)]
pub struct ResolutionSequence {
    /// Levels, coarse to fine, with strictly increasing node counts.
    pub levels: Vec<Level>,
    /// Components and handles of the input.
    pub input: Shape,
    /// Sentences for the user: targets that the shape does not allow, changes of volume and topology, distance.
    pub notes: Vec<String>,
}

/// Target of the coarsest level of a body with this number of components.
pub(crate) fn coarsest_nodes(components: usize) -> usize {
    60.max(30 * components)
}

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
            most_nodes: MAX_NODES,
        }
    }
}

/// Why the finest level is farther from the input than asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shortfall {
    /// It would need more nodes than allowed.
    Nodes,
    /// The attempts so far took so much work that nothing finer is tried.
    Work,
    /// Finer levels come no closer: something of the input has no thickness, or lies inside the body.
    Stalled,
}
