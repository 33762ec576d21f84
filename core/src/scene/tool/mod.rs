//! Tools of a scene.

mod carrying;
mod description;
mod repeat;
mod shape;

pub(crate) use carrying::check_carriers;
pub use description::ToolDescription;
pub(crate) use description::read_tool;
pub(crate) use repeat::repeat_tools;
pub(crate) use shape::SHAPE_KEYS;
pub use shape::{ShapeDescription, shape_table};
