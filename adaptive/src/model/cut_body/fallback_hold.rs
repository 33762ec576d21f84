//! How often a body kept its last good places for a frame, and for how long it may.

/// Frames in a row that a body may be held.
pub(crate) const LONGEST_HOLD: u8 = 30;
/// Share of its displacement that a body keeps in each frame in a row but the first.
pub(crate) const KEPT: f64 = 0.8;
/// Frames in a row from which on nothing touches the body until a frame is good.
pub(crate) const LET_GO: u8 = 12;

/// How often a body kept its last good places.
#[derive(Debug, Clone, Default)]
pub(crate) struct FallbackHold {
    /// frames in a row, until now; each good frame takes one back
    pub(crate) row: u8,
    /// frames since the last reset in which it did
    pub(crate) frames: u32,
    /// frames in which it followed its constraints in part, and in which it let go of them
    pub(crate) eased: u32,
    pub(crate) released: u32,
    /// what was seen the first time
    pub(crate) cause: Option<String>,
}
