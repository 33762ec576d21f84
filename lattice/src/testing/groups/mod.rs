//! Several bodies in one group.

mod bodies;
mod kinds;
