//! The nodes that rows hold, as the solver keeps them.

/// Velocity and inverse mass of a node that some row holds; less the share that goes to the whole body.
pub(crate) type Slot = [f64; 4];

/// A node without a slot.
pub(crate) const NONE: u32 = u32::MAX;
