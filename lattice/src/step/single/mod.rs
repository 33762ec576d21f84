//! The step in single precision.

pub(crate) mod fast;
pub(crate) mod goals;
pub(crate) mod pass_memory;
pub(crate) mod rows;
pub(crate) mod two_passes;
