//! The step in single precision.

pub(crate) mod fast;
pub(crate) mod rows;
pub(crate) mod two_passes;
