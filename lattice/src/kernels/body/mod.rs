//! A whole body: which kernel suits it, what it needs, and how threads share it.

pub(crate) mod kernel;
pub(crate) mod parts;
pub(crate) mod prepare;
pub(crate) mod prepared;
pub(crate) mod scratch;
pub(crate) mod smoother;
pub(crate) mod state;
pub(crate) mod stiffness_weights;
