//! Fixtures of the tests of contact.

pub(crate) mod lump;
pub(crate) mod stacked_bodies;
