//! Scene text: which keys are known, and how typed values are read out of a table.

mod keys;
mod reader;

pub(crate) use keys::check_keys;
pub(crate) use reader::{Reader, as_number, as_vector};
