//! Bodies of a few hundred particles.

pub(crate) mod passes;
pub(crate) mod program;
pub(crate) mod writer;
