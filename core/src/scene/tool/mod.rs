//! Tools of a scene.

mod description;
mod shape;

pub use description::ToolDescription;
pub(crate) use description::read_tool;
pub(crate) use shape::SHAPE_KEYS;
pub use shape::{ShapeDescription, shape_table};
