//! The byte format of a hierarchy: magic, version, then little-endian arrays.

pub mod bytes;
pub(crate) mod hierarchy;
mod level;
pub(crate) mod material;
pub(crate) mod skin;
