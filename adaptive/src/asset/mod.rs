//! The baked hierarchy of a body: constant data, and its byte format.

pub mod format;
mod lod_hierarchy;

pub use format::bytes::AssetFormatError;
pub use lod_hierarchy::{LodHierarchy, key};
pub(crate) use lod_hierarchy::{below, corrupt, link_children, no_children, positive};
