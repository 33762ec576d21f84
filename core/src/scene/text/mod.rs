//! Scene text: the known keys, typed values of tables, and the schema for editors.

mod keys;
mod node;
mod reader;
mod schema;
mod strings;

pub(crate) use keys::check_keys;
pub use keys::{hand_keys, scene_schema};
pub(crate) use node::Node;
pub(crate) use reader::{Reader, as_number, as_vector};
pub(crate) use strings::check_strings;
