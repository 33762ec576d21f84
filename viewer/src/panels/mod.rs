//! Parts of the window. Each takes the snapshot and the user's choices and adds commands; none holds a solver.

mod accuracy;
mod color_bar;
mod context;
mod details;
pub mod frame;
pub mod header;
pub mod keys;
pub mod notices;
mod open;
pub mod overlay;
mod plots;
#[cfg(test)]
mod tests;
mod top_bar;

pub use context::Context;
