//! The window: opening and closing it, one frame of it, and what is measured meanwhile.

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
pub mod screenshot;
pub mod statistics;

pub use outcome::Outcome;
