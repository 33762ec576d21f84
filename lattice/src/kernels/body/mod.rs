//! A whole body: the choice of its kernel, its constants and state, and its division among threads.

pub(crate) mod kernel;
pub(crate) mod parts;
pub(crate) mod prepare;
pub(crate) mod prepared;
pub(crate) mod scratch;
pub(crate) mod smoother;
pub(crate) mod state;
pub(crate) mod stiffness_weights;
