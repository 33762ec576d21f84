//! What tests of contact have in common.

pub(crate) mod lump;
pub(crate) mod stacked_bodies;
