//! Several bodies in one group.

mod bodies;
mod kinds;
mod laid_open;
