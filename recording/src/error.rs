//! Recordings that cannot be read or written.

use std::path::PathBuf;

use crate::format::VERSION;

/// A recording that cannot be read or written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordingError {
    /// The first bytes are not those of a recording.
    #[error("this is no recording\n  remedy: give a file that `--record` wrote")]
    NotARecording,
    /// A later program wrote it.
    #[error(
        "this recording has version {found}; this program reads version {VERSION}\n  remedy: use the program that wrote it, or a later one"
    )]
    NewerVersion {
        /// Version of the file.
        found: u32,
    },
    /// The bytes end too early.
    #[error(
        "the recording ends at byte {offset} inside {what}\n  remedy: it is incomplete; record again"
    )]
    Truncated {
        /// What was being read.
        what: &'static str,
        /// Offset of the end of the bytes.
        offset: u64,
    },
    /// A checksum is wrong.
    #[error(
        "the recording is damaged: {what} at byte {offset} does not have its checksum\n  remedy: copy it again from where it was whole, or record again"
    )]
    Damaged {
        /// What was being read.
        what: &'static str,
        /// Offset of its beginning.
        offset: u64,
    },
    /// Values that do not fit together.
    #[error("the recording holds an invalid {what} at byte {offset}\n  remedy: record again")]
    Invalid {
        /// What is wrong.
        what: &'static str,
        /// Offset of its beginning.
        offset: u64,
    },
    /// The file cannot be written.
    #[error("{}: {reason}\n  remedy: choose another place, or free some space", file.display())]
    Unwritable {
        /// The file.
        file: PathBuf,
        /// The message of the system.
        reason: String,
    },
}

impl RecordingError {
    /// Offset in the file, bytes.
    pub fn offset(&self) -> Option<u64> {
        match self {
            Self::Truncated { offset, .. }
            | Self::Damaged { offset, .. }
            | Self::Invalid { offset, .. } => Some(*offset),
            Self::NotARecording => Some(0),
            Self::NewerVersion { .. } => Some(8),
            Self::Unwritable { .. } => None,
        }
    }
}
