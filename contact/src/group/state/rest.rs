//! Whether a body is awake.

/// Whether a body is awake, and for how many frames it has been calm.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Rest {
    pub asleep: bool,
    pub calm: u16,
    /// something outside holds or moves it in this frame
    pub driven: bool,
    /// its state went wrong: it never wakes
    pub frozen: bool,
}

impl Rest {
    /// Awake from now on, unless it is frozen.
    pub fn wake(&mut self) {
        if !self.frozen {
            *self = Self::default();
        }
    }
}
