//! The byte format of a hierarchy.

pub mod bytes;
pub(crate) mod level;
