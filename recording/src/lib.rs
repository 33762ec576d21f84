//! Recordings of runs: files with the scene and its results, frame by frame.
//!
//! [`contents`] has the data of a recording, and [`format`](mod@format) the file format. [`RecordingWriter`] writes to any stream. [`RecordingFile`] writes to a file on a thread of its own, so that a run does
//! not wait for the disk. [`Recording`] reads, and checks every length. [`mod@export`] writes surfaces and curves in formats of other programs.
//!
//! This crate knows meshes, poses and forces, but no scene and no solver: `pliant-simulation` fills recordings and runs them again.
//!
//! ```
//! use pliant_recording::contents::{Frame, Header, RecordedScene, Skin, Summary};
//! use pliant_recording::{Recording, RecordingWriter};
//!
//! let header = Header {
//!     program: "0.1.0".into(), kernels: "portable".into(), portable: true,
//!     scene: RecordedScene { name: "empty".into(), ..Default::default() },
//!     frame_duration: 1.0 / 60.0, frames: 60, surface_every: 0, vertices: 0, triangles: 0,
//!     tools: vec![], grabs: vec![], probes: vec![], methods: vec![],
//! };
//! let mut writer = RecordingWriter::new(Vec::new(), header, &Skin::default())?;
//! for frame in 1..=60 {
//!     writer.frame(&Frame { time: f64::from(frame) / 60.0, ..Default::default() }, &[])?;
//! }
//! let (bytes, _) = writer.finish(&Summary::default())?;
//!
//! // 60 frames of 1/60 s
//! let recording = Recording::read(&bytes)?;
//! assert_eq!(recording.frames.last().map(|frame| frame.time), Some(1.0));
//! // a file that was cut off is refused
//! assert!(Recording::read(&bytes[..bytes.len() - 1]).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Needs Rust 1.95 or newer. There are no feature flags.

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
pub use surface_hash::{hash_surface, surface_hash};
pub use writer::RecordingWriter;
