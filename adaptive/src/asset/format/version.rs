//! The version of format and baker.

/// Raised whenever the baker or the format changes.
pub(crate) const VERSION: u32 = 11;
