//! The constraints of a frame.

use pliant_core::contact::VelocityProjection;

use crate::contact::ContactWork;

/// Constraints of a frame on active nodes.
#[derive(Debug, Default)]
pub struct FrameConstraints<'a> {
    /// The projection, started for this frame; its nodes are those of the forest.
    pub projection: Option<&'a mut VelocityProjection>,
    /// Accounting of their work, in a model; `None` elsewhere.
    pub work: Option<&'a mut ContactWork>,
    /// Nodes of the constraints, ascending.
    pub nodes: &'a [u32],
    /// Longest time between two impulses, s; 0 for the step of the elements around.
    pub longest_step: f64,
}

impl<'a> FrameConstraints<'a> {
    /// The constraints of `projection`, if it has any, on these `nodes`, without accounting of their work.
    pub(crate) fn new(
        projection: &'a mut VelocityProjection,
        nodes: &'a [u32],
        longest_step: f64,
    ) -> Self {
        Self {
            projection: Some(projection).filter(|projection| !projection.is_empty()),
            work: None,
            nodes,
            longest_step,
        }
    }
}
