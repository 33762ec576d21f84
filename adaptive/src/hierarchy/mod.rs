//! The levels of detail of one body: independent meshes, and the Voronoi tree that connects their nodes.

pub mod level;
pub mod parenting;

pub use level::{Level, LevelError};
