//! The step in single precision.

pub(crate) mod goals;
pub(crate) mod pass_memory;
pub(crate) mod single_precision;
pub(crate) mod slab_arrays;
pub(crate) mod two_passes;
