//! Why there is no advice.

use super::choice::GoalError;
use crate::error::{BuildError, variant_name};

/// Why there is no advice.
#[derive(Debug, thiserror::Error)]
pub enum AdviceError {
    /// The goal makes no sense.
    #[error(transparent)]
    Goal(#[from] GoalError),
    /// There is no reference to compare candidates with.
    #[error("no advice without a reference: {reason}")]
    NoReference {
        /// Error code of the cause.
        code: String,
        /// Why there is none, with a remedy.
        reason: String,
    },
    /// No candidate could be run to its end.
    #[error("no candidate can run this scene; the reason of the first is: {reason}")]
    NothingRuns {
        /// What the first one says, with a remedy.
        reason: String,
    },
    /// The body cannot be built, or the work was cancelled.
    #[error(transparent)]
    Build(#[from] BuildError),
}

impl AdviceError {
    /// Name of the innermost variant: the error code of the JSON output.
    pub fn code(&self) -> String {
        match self {
            Self::Goal(error) => variant_name(error),
            Self::NoReference { code, .. } => code.clone(),
            Self::NothingRuns { .. } => "NothingRuns".into(),
            Self::Build(error) => error.code(),
        }
    }
}
