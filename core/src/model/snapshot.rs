//! The mutable state of a model as numbers.

/// A model's mutable state as numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct StateSnapshot {
    /// Kind of the model it belongs to.
    pub kind: &'static str,
    /// The state, in an order and in units that only the model knows.
    pub values: Vec<f64>,
}

/// A snapshot does not fit the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "the snapshot belongs to another model\n  remedy: restore it to the model it was taken from"
)]
pub struct SnapshotMismatch;
