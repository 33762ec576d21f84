//! What a body bears before it breaks.

use crate::error::LatticeError;

/// What a body bears before it breaks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fracture {
    /// Strain beyond which a link breaks, above 0, at most 10.
    pub toughness: f64,
    /// Most links that break in a frame, at least 1.
    pub max_breaks: u32,
    /// Whether a link breaks, too, that is shorter by this share than at rest.
    pub shortened_too: bool,
}

impl Default for Fracture {
    /// 30 % of stretch, 400 links a frame.
    fn default() -> Self {
        Self {
            toughness: 0.3,
            max_breaks: 400,
            shortened_too: false,
        }
    }
}

impl Fracture {
    /// How far beyond its length at rest a link counts, for a length of `ratio` times that.
    pub(crate) fn strain(&self, ratio: f64) -> f64 {
        match self.shortened_too {
            true => (ratio - 1.0).abs(),
            false => ratio - 1.0,
        }
    }

    /// Whether the numbers make sense.
    ///
    /// # Errors
    /// [`LatticeError::BadParameter`].
    pub fn check(&self) -> Result<(), LatticeError> {
        let bad = |name, value, range| Err(LatticeError::BadParameter { name, value, range });
        if !(self.toughness > 0.0 && self.toughness <= 10.0) {
            return bad("toughness", self.toughness, "above 0, at most 10");
        }
        if self.max_breaks == 0 {
            return bad("max_breaks", 0.0, "at least 1");
        }
        Ok(())
    }
}
