//! Baked assets on disk, and the finished columns of a bake that goes on.

mod folder;
pub mod journal;
mod mapped;

pub use folder::AssetCache;
pub use mapped::MappedFile;
