//! Holes: their rims, and how small ones are closed.

pub(crate) mod close;
mod rims;
