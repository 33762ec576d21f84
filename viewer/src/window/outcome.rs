//! Result of a run of the window.

use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

/// Result of a run of the window, shared with the code that started it.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Whether a frame was shown. Later failures are not those of opening the window.
    pub shown: AtomicBool,
    /// The first file that could not be written, and why.
    pub unwritable: OnceLock<(PathBuf, String)>,
}
