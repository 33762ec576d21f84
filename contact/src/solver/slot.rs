//! The nodes that rows hold, as the solver keeps them.

/// Velocity (m/s) and inverse mass (1/kg) of a node that some row holds. The share of an impulse that moves the body rigidly is taken off the
/// inverse mass.
pub(crate) type Slot = [f64; 4];

/// Stands for no slot, and for no body.
pub(crate) const NONE: u32 = u32::MAX;
