//! Why columns cannot be compressed.

use pliant_core::asset::Cancelled;

/// Why a hierarchy, a transform or a compressed matrix cannot be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CompressionError {
    /// The triangles are no refinement of coarser ones.
    #[error(
        "the mesh has no subdivision connectivity: {reason}\n  remedy: remesh it with `pliant remesh`, or choose the hierarchical matrix, which needs none"
    )]
    NotSemiRegular {
        /// What was found, and where.
        reason: String,
    },
    /// Numbers of a hierarchy that contradict each other.
    #[error("level {level} of the subdivision hierarchy is inconsistent: {reason}")]
    InconsistentHierarchy {
        /// The level.
        level: usize,
        /// What is wrong.
        reason: String,
    },
    /// No vertex is in the domain.
    #[error("the domain of the wavelets has no vertex\n  remedy: leave some vertices free")]
    EmptyDomain,
    /// The numbers of vertices differ.
    #[error("{what} has {found} entries, but there are {expected}")]
    WrongLength {
        /// The array.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The length that fits.
        expected: usize,
    },
    /// A column holds a number that is not finite.
    #[error("column {column} has an entry that is not a finite number")]
    NotFinite {
        /// The column.
        column: usize,
    },
    /// The threshold is no number from 0 to 1.
    #[error(
        "epsilon = {epsilon} is out of range\n  remedy: use a number from 0 to 1; 0.05 suits most bodies"
    )]
    BadThreshold {
        /// The threshold.
        epsilon: f64,
    },
    /// Thresholding made a column larger than it was.
    #[error(
        "column {column} grows by the threshold, even at {epsilon:.2e}\n  remedy: use a smaller epsilon"
    )]
    UnstableReconstruction {
        /// The column.
        column: usize,
        /// The last threshold that was tried.
        epsilon: f64,
    },
    /// The work was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// Refuses a list of another length.
pub(crate) fn check_length(
    what: &'static str,
    found: usize,
    expected: usize,
) -> Result<(), CompressionError> {
    if found == expected {
        return Ok(());
    }
    Err(CompressionError::WrongLength {
        what,
        found,
        expected,
    })
}
