//! Why a model refuses blades.

/// The method cannot cut bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "it cannot cut a body\n  remedy: use the lattice or the adaptive method, or leave out the tools whose shape is a blade"
)]
pub struct CannotCut;

impl CannotCut {
    /// The name of the error, its code in the JSON output.
    pub fn code(&self) -> &'static str {
        "CannotCut"
    }
}
