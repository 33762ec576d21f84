//! The constraints of a frame.

use pliant_core::contact::VelocityProjection;

use crate::contact::ContactWork;

/// Constraints of a frame on active nodes.
#[derive(Debug, Default)]
pub struct FrameConstraints<'a> {
    /// The projection, started for this frame; its nodes are those of the forest.
    pub projection: Option<&'a mut VelocityProjection>,
    /// Accounting of their work.
    pub work: Option<&'a mut ContactWork>,
    /// Nodes of the constraints, ascending.
    pub nodes: &'a [u32],
    /// Longest time between two impulses, s; 0 for the step of the elements around.
    pub longest_step: f64,
}
