//! A body that went wrong.

/// A body that stands still for good, because its state went wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrozenBody {
    /// Which one.
    pub body: u32,
    /// What was seen, and when.
    pub cause: String,
}
