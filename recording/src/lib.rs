//! Recordings of runs: files with the scene and its results, frame by frame.
//!
//! | you want to | here |
//! |---|---|
//! | know what a recording holds | [`contents`] |
//! | write one to any stream | [`RecordingWriter`] |
//! | write one to a file during a run, on a thread of its own | [`RecordingFile`] |
//! | read one | [`Recording`], which checks every length and checksum; errors: [`RecordingError`] |
//! | make files of other programs of it: VTK, glTF, USD, OBJ, CSV | [`mod@export`] |
//! | read one without this crate | the file format is in [`format`](mod@format) |
//!
//! Positions are metres, world coordinates, in single precision; forces are newtons. A file that is cut off, damaged or of a later version is refused.
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
