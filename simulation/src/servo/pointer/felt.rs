//! What a hand at the pointer would feel.

use pliant_core::math::Vec3;

/// What a hand at the pointer would feel, and how punctually.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Felt {
    /// Whether the pointer holds the tool.
    pub held: bool,
    /// Force on the hand, N.
    pub force: Vec3,
    /// Tip, m.
    pub tip: Vec3,
    /// Sizes of the force in the ticks of the last frame, N, oldest first.
    pub recent: Vec<f32>,
    /// Ticks since the scene was opened, and those of them that began more than 0.2 ms late or were swallowed by a stall.
    pub ticks: u64,
    /// See `ticks`.
    pub late_ticks: u64,
    /// Work of a tick, µs: the median and the 99.9th percentile.
    pub work_us: [f64; 2],
    /// Time from a motion of the pointer to the first force that knows of it, ms: the median and the 99th percentile.
    pub latency_ms: [f64; 2],
}
