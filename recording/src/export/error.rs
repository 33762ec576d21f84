//! Exports that fail.

use std::path::PathBuf;

use pliant_core::asset::Cancelled;

use super::format::ExportFormat;
use crate::error::RecordingError;

/// An export that failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The recording has no surfaces.
    #[error("{}", no_surfaces(*format, *every))]
    NoSurfaces {
        /// The requested format.
        format: ExportFormat,
        /// Number of frames from one surface to the next in the recording, 0 for none.
        every: u32,
    },
    /// The format's files have 32-bit lengths.
    #[error(
        "{} would take {bytes} bytes, and a file of this format holds 4 GiB\n  remedy: record with a larger --record-every, or export as vtk or usd", format.name()
    )]
    TooLarge {
        /// The requested format.
        format: ExportFormat,
        /// Size of the file.
        bytes: u64,
    },
    /// A file cannot be written.
    #[error("{}: {reason}\n  remedy: choose another place with --out, or free some space", file.display())]
    Unwritable {
        /// The file.
        file: PathBuf,
        /// The message of the system.
        reason: String,
    },
    /// The recording is damaged.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// Cancelled by the owner of the job.
    #[error("cancelled")]
    Cancelled,
}

fn no_surfaces(format: ExportFormat, every: u32) -> String {
    let name = format.name();
    match every {
        0 => format!(
            "the recording has no surfaces, which {name} needs\n  remedy: record with --record-every 1 or more, or export as csv"
        ),
        _ => format!(
            "the recording is shorter than the {every} frames between two surfaces, and {name} needs one\n  remedy: record with a smaller --record-every, or export as csv"
        ),
    }
}

impl From<Cancelled> for ExportError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}
