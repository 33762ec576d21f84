//! Composes scenes, meshers and solvers: the only library that knows all three methods.
//!
//! A scene's text ([`scenes`]) is made concrete once ([`setup`]); each method gets its geometry and its asset ([`build`], [`cache`]) and runs in a [`world`]. Worlds are stepped by
//! [`compare`], by the simulation thread of a window ([`runner`]), or beside a [`servo`] thread. [`mod@reference`] says what their results converge to. [`recording`] keeps a comparison in a file, and runs it again. [`advice`] says which method and settings suit a body.

pub mod benchmark;
pub mod build;
pub mod cache;
pub mod compare;
pub mod error;
pub mod handover;
mod parameters;
pub mod reference;
pub mod runner;
pub mod scenes;
pub mod servo;
pub mod setup;
pub mod world;

pub use build::geometry;
pub use cache::journal;
pub use compare::{advice, recording};
pub use runner::{command, snapshot};
pub use world::pace;
