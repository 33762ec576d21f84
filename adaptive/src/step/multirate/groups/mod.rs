//! Elements of one rate, packed together.

pub(crate) mod group;
pub(crate) mod group_state;
mod packing;
