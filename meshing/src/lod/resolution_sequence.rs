//! Levels of one body, coarse to fine.

use super::level::Level;
use super::shape::Shape;

/// The most nodes of a level that is made finer than asked, or as fine as closeness needs.
pub const MOST_NODES: usize = 120_000;

/// A hierarchy and what is to be said about it.
#[derive(Debug, Clone, PartialEq)]
pub struct ResolutionSequence {
    /// Levels, coarse to fine, with strictly increasing node counts.
    pub levels: Vec<Level>,
    /// Components and handles of the input.
    pub input: Shape,
    /// Sentences for the user: targets that the shape does not allow, changes of volume and topology, distance.
    pub notes: Vec<String>,
}

/// Target of the coarsest level of a body of so many components.
pub(crate) fn coarsest_nodes(components: usize) -> usize {
    60.max(30 * components)
}
