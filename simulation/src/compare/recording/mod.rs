//! Comparisons in files, and again from them.
//!
//! [`compare_recorded`] writes a recording while the methods run; [`replay`] runs what a recording says and compares the surfaces of each frame. The file itself is that of `pliant-recording`.

mod cuts;
mod error;
mod record;
mod replay;
mod scene;

pub use cuts::LastCut;
pub use error::{RecordError, ReplayError};
pub use record::{RecordOptions, compare_recorded, recorded_method, recorded_setup};
pub use replay::replay;
pub use scene::{recorded_scene, scene_of};

#[cfg(test)]
mod tests;
