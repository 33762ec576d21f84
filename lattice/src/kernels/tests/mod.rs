//! The single precision kernels against the double precision step.

pub(crate) mod free_body;
mod goals;
