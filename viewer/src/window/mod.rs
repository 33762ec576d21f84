//! The window: opening and closing it, one frame of it, and what is measured meanwhile.

pub mod app;
pub mod display;
pub(crate) mod launch;
pub mod layout;
mod measurements;
mod outcome;
mod panes;
mod panics;
mod pictures;
mod pointer;
pub mod screenshot;
pub mod statistics;

pub use outcome::Outcome;
