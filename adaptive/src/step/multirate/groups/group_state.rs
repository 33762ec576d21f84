//! Whether groups belong to the present cut and step levels.

/// State of the groups of a cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GroupState {
    /// They belong to the present cut, step levels and state.
    Packed,
    /// Cut or step levels have changed: the next frame packs the groups, and pays for it.
    Changed,
    /// The body was restored: the next frame packs the groups, but does not pay for it, because the frame of the body that was saved did not.
    Restored,
}

impl GroupState {
    /// The state of a body that is restored from one in this state.
    pub fn restored(self) -> Self {
        match self {
            Self::Packed => Self::Restored,
            other => other,
        }
    }
}
