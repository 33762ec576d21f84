//! The window: opening and closing it, its frames, and its measurements.

pub mod app;
#[cfg(target_family = "wasm")]
pub mod browser;
pub mod display;
#[cfg(not(target_family = "wasm"))]
pub(crate) mod launch;
pub mod layout;
mod measurements;
mod outcome;
mod panes;
#[cfg(not(target_family = "wasm"))]
mod panics;
mod pictures;
mod pointer;
pub mod statistics;

pub use outcome::Outcome;
