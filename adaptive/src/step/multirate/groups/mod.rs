//! Elements of one rate, packed together.

pub(crate) mod group;
mod packing;
