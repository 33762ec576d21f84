//! Holes: their boundary loops, and how small holes are closed.

mod boundary_loops;
pub(crate) mod close;
