//! Bytes that cannot be read.

use pliant_compression::stream::StreamError;

use super::layout::VERSION;

/// Bytes that are not an asset of this version.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum AssetFormatError {
    /// Not written by this baker.
    #[error("these bytes are not Green's functions of version {VERSION}\n  remedy: bake again")]
    WrongKind,
    /// The bytes end too early.
    #[error("the Green's functions end at byte {offset} inside {what}\n  remedy: bake again")]
    Truncated {
        /// What was being read.
        what: &'static str,
        /// Where it began.
        offset: usize,
    },
    /// Values that do not fit together.
    #[error("the Green's functions hold an invalid {what}\n  remedy: bake again")]
    Invalid {
        /// What is wrong.
        what: &'static str,
    },
    /// The stream of compressed columns cannot be read.
    #[error(transparent)]
    Stream(#[from] StreamError),
}
