//! Why there was no window, or what went wrong in it.

use std::path::PathBuf;

/// Why there was no window, or what went wrong in it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ViewError {
    /// No window can be had here: no display, no OpenGL, or a library is missing.
    #[error("no window: {reason}")]
    NoDisplay {
        /// One line.
        reason: String,
    },
    /// The window was there and failed.
    #[error("the viewer failed: {reason}")]
    Failed {
        /// One line.
        reason: String,
    },
    /// A picture or the measurements could not be written.
    #[error("{} cannot be written: {reason}", file.display())]
    Unwritable {
        /// The file.
        file: PathBuf,
        /// One line.
        reason: String,
    },
}
