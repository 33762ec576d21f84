//! State of the command palette.

/// State of the palette.
#[derive(Debug, Clone, Default)]
pub struct Palette {
    /// Whether it is shown.
    pub open: bool,
    /// What was typed.
    pub query: String,
    /// Number of the chosen line among those that match.
    pub chosen: usize,
    /// Whether a frame has shown it since it was opened: the click that opens it is beside it, too.
    pub was_shown: bool,
}

impl Palette {
    /// Opens it without a word typed, or closes it.
    pub fn toggle(&mut self) {
        *self = Self {
            open: !self.open,
            ..Self::default()
        };
    }
}
