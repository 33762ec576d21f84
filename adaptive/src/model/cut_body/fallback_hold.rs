//! Counters and limits of fallback holds: frames in which a body keeps its last good positions.

/// Largest number of successive frames in which a body may be held.
pub(crate) const MAX_HOLD_FRAMES: u8 = 30;
/// Share of its displacement that a body keeps in each of these frames except the first.
pub(crate) const DISPLACEMENT_KEPT: f64 = 0.8;
/// Successive frames after which constraints are released until a frame succeeds.
pub(crate) const FRAMES_BEFORE_RELEASE: u8 = 12;

/// Counters of fallback holds.
#[derive(Debug, Clone, Default)]
pub(crate) struct FallbackHold {
    /// successive frames; each good frame reduces it by one
    pub(crate) successive: u8,
    /// held frames since the last reset
    pub(crate) frames: u32,
    /// frames with eased constraints, and with released ones
    pub(crate) eased: u32,
    pub(crate) released: u32,
    /// cause of the first one
    pub(crate) cause: Option<String>,
}
