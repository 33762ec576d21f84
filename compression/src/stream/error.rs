//! Why a stream cannot be written or read.

use crate::error::CompressionError;

/// What is wrong with a stream, or with what should be written to one. Offsets are bytes from the begin of the stream.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StreamError {
    /// The bytes are no stream of Green's functions, or of another version.
    #[error(
        "byte {offset}: this is no stream of compressed Green's functions that this version reads: {reason}\n  remedy: write it again with this version"
    )]
    UnknownFormat {
        /// Where.
        offset: usize,
        /// What was found.
        reason: String,
    },
    /// The bytes end inside the header or the extra block, before anything can be shown.
    #[error(
        "byte {offset}: the stream ends inside {what}, {missing} bytes too early\n  remedy: fetch more of it; what comes behind the extra block may be missing"
    )]
    Truncated {
        /// Where the part begins that is not complete.
        offset: usize,
        /// The part.
        what: &'static str,
        /// Bytes that are missing at least.
        missing: usize,
    },
    /// Bytes are not those that were written.
    #[error(
        "byte {offset}: the stream is damaged: {reason}\n  remedy: fetch or write it again; the bytes before this place can be read"
    )]
    Damaged {
        /// Where.
        offset: usize,
        /// What contradicts what.
        reason: String,
    },
    /// Reading needs more memory than the caller allows.
    #[error(
        "byte {offset}: {what} need {needed} bytes of memory, but {limit} are allowed\n  remedy: raise `ReadLimits::memory_bytes`, if the stream comes from a place that you trust"
    )]
    OverLimit {
        /// Where.
        offset: usize,
        /// What needs it.
        what: &'static str,
        /// Bytes that are needed at least.
        needed: u64,
        /// The limit.
        limit: u64,
    },
    /// The description of a stream is out of range.
    #[error("{field} = {value} is out of range\n  remedy: {remedy}")]
    BadSpec {
        /// The field of `StreamSpec`.
        field: &'static str,
        /// Its value.
        value: f64,
        /// What to do.
        remedy: &'static str,
    },
    /// The hierarchy and areas do not give the transform of the matrix.
    #[error(
        "the hierarchy and the areas do not give the transform of the matrix\n  remedy: hand over those that its transform was made of"
    )]
    OtherTransform,
    /// An edge has more than one triangle on the same side.
    #[error(
        "the edge from vertex {edge:?} has two triangles on the same side\n  remedy: use a surface that is an oriented manifold"
    )]
    NotManifold {
        /// Its ends.
        edge: [u32; 2],
    },
    /// A column cannot be quantised.
    #[error(
        "column {column} has coefficients beyond 2^27 steps, or that are not finite\n  remedy: use a larger `epsilon` or `step`"
    )]
    BeyondSteps {
        /// The column.
        column: usize,
    },
    /// The hierarchy of the stream is not one.
    #[error("byte {offset}: {source}")]
    Hierarchy {
        /// Where the hierarchy ends.
        offset: usize,
        /// Why.
        source: CompressionError,
    },
}
