//! Recordings of runs: a file that says what was run and what came of it, frame by frame.
//!
//! [`contents`] says what a recording holds, [`format`](mod@format) how it is stored. [`RecordingWriter`] writes to any stream, [`RecordingFile`] to a file on a thread of its own, so that a run does
//! not wait for the disk. [`Recording`] reads, and believes no length. [`mod@export`] turns surfaces and curves into files of other programs.
//!
//! This crate knows meshes, poses and forces, but no scene and no solver: `pliant-simulation` fills recordings and runs them again.

pub mod contents;
#[cfg(test)]
mod damage_tests;
mod error;
pub mod export;
mod file;
pub mod format;
mod reader;
mod surface_hash;
#[cfg(test)]
mod testing;
mod writer;

pub use error::RecordingError;
pub use file::RecordingFile;
pub use reader::{Recording, StoredSurface};
pub use surface_hash::surface_hash;
pub use writer::RecordingWriter;
