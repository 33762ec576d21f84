//! Scenes: text that is checked once and then constant.

pub mod selection;

pub use selection::Selection;
