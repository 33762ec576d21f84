//! Scene text: which keys are known, and how typed values are read out of a table.

mod keys;
mod node;
mod reader;

pub(crate) use keys::check_keys;
pub(crate) use node::Node;
pub(crate) use reader::{Reader, as_number, as_vector};
