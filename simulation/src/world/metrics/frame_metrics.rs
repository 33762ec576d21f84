//! The metrics that one frame gave.

use pliant_core::model::EnergyAccount;

/// The metrics of one frame of one method. What a method cannot give, or has not given yet, is `None`, never zero.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FrameMetrics {
    /// Energies, J; `None` for a method without an energy.
    pub energy: Option<EnergyAccount>,
    /// Deepest penetration, or largest distance from a held target, m.
    pub violation: Option<f64>,
    /// Largest force with which a contact pulls at the body, N; `None` where bodies find contacts themselves.
    pub pull: Option<f64>,
    /// How much the volume that the skin encloses has grown (negative: shrunk), over that at rest; `None` for a skin that encloses nothing, and while it is
    /// not measured.
    pub volume_change: Option<f64>,
}
