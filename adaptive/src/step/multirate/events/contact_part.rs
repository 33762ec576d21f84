//! What constraints bring into a frame.

use pliant_core::contact::VelocityProjection;

use crate::contact::ContactWork;

/// Constraints of a frame on active nodes.
#[derive(Debug, Default)]
pub struct ContactPart<'a> {
    /// Constraints, begun for this frame over the numbers of the forest.
    pub projection: Option<&'a mut VelocityProjection>,
    /// Account of their work.
    pub work: Option<&'a mut ContactWork>,
    /// Nodes behind them, ascending.
    pub nodes: &'a [u32],
    /// Longest time between two impulses, s; 0 for as long as the elements around wish.
    pub longest: f64,
}
