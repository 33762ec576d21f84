//! The limits beyond which a body breaks.

use crate::error::LatticeError;

/// The limits beyond which a body breaks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fracture {
    /// Strain beyond which a link breaks, above 0, at most 10; infinite for a body that only blades cut.
    pub toughness: f64,
    /// Most links that break in a frame, at least 1.
    pub max_breaks: u32,
    /// Whether a link also breaks if it is shortened by more than this strain.
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
    /// A body that never breaks by itself, but can be cut.
    pub const BY_BLADES_ALONE: Self = Self {
        toughness: f64::INFINITY,
        max_breaks: 1,
        shortened_too: false,
    };

    /// Whether links break under strain.
    pub(crate) fn breaks_by_strain(&self) -> bool {
        self.toughness.is_finite()
    }

    /// The strain that counts towards fracture, for a link of `ratio` times its length at rest.
    pub(crate) fn strain(&self, ratio: f64) -> f64 {
        match self.shortened_too {
            true => (ratio - 1.0).abs(),
            false => ratio - 1.0,
        }
    }

    /// Checks the ranges.
    ///
    /// # Errors
    /// [`LatticeError::BadParameter`].
    pub fn check(&self) -> Result<(), LatticeError> {
        let bad = |name, value, range| Err(LatticeError::BadParameter { name, value, range });
        let in_range = self.toughness > 0.0 && self.toughness <= 10.0;
        if !in_range && self.toughness != f64::INFINITY {
            return bad(
                "toughness",
                self.toughness,
                "above 0, at most 10, or infinite",
            );
        }
        if self.max_breaks == 0 {
            return bad("max_breaks", 0.0, "at least 1");
        }
        Ok(())
    }
}
