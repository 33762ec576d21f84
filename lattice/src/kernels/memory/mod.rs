//! Memory layouts of the numbers of a lattice.

pub(crate) mod arrange;
pub(crate) mod box_regions;
pub(crate) mod channels;
pub(crate) mod constants;
pub(crate) mod fold;
pub(crate) mod layout;
pub(crate) mod orientation;
pub(crate) mod slab_groups;
pub(crate) mod tiles;
