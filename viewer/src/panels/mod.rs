//! Parts of the window. Each reads the snapshot and the user's choices and adds commands. None owns a solver.

mod accuracy;
pub mod advice;
mod bars;
pub mod commands;
mod context;
mod curves;
mod details;
pub mod frame;
pub mod header;
mod mesh_report;
pub mod overlay;
mod palette;
#[cfg(test)]
mod tests;

pub use bars::notices;
pub use commands::keys;
pub use context::Context;
