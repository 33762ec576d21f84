//! Composes scenes, meshers and solvers: the only crate that knows all three methods.

mod attributes;
pub mod bake_jobs;
pub mod bench_scenes;
mod body;
pub mod build;
pub mod cache;
pub mod clock;
pub mod command;
pub mod compare;
pub mod distance;
pub mod error;
pub mod geometry;
pub mod given_columns;
pub mod handover;
pub mod journal;
pub mod mapped;
mod memory;
pub mod pace;
mod parameters;
mod quasistatic_parameters;
pub mod runner;
pub mod scenes;
mod script;
pub mod servo;
pub mod setup;
pub mod snapshot;
pub mod world;
