//! Several bodies in one group.

mod bodies;
mod drawn;
mod kinds;
mod laid_open;
