//! The baked hierarchy of a body: constant data, its key in the cache, and its byte format.

pub mod format;
mod key;
mod lod_hierarchy;

pub use format::bytes::AssetFormatError;
pub use key::key;
pub use lod_hierarchy::LodHierarchy;
pub(crate) use lod_hierarchy::{link_children, no_children};
