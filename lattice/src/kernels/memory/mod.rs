//! Where the numbers of a lattice lie in memory.

pub(crate) mod box_regions;
pub(crate) mod fold;
pub(crate) mod layout;
pub(crate) mod orientation;
pub(crate) mod tiles;
