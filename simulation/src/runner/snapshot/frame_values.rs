//! The numbers of single frames, for curves: a window draws fewer frames than are simulated.

use pliant_core::math::Vec3;
use pliant_core::scene::Method;

use crate::reference::SurfaceDistance;
use crate::world::FrameMetrics;

/// How far the skin of a pane is from that of each pane, in their order; `None` for itself, where one of the two does not run, and while skins are not measured.
pub type SkinDistances = [Option<SurfaceDistance>; Method::ALL.len()];

/// The numbers that one frame gave.
#[derive(Debug, Clone, PartialEq)]
pub struct FrameValues {
    /// Physical time at its end, s.
    pub time: f64,
    /// One for each pane.
    pub panes: Vec<PaneValues>,
    /// Force on a hand at the pointer at each tick of the servo loop, N. Empty without such a hand.
    pub force_feedback: Vec<f32>,
}

/// The numbers that one frame gave in one pane.
#[derive(Debug, Clone, PartialEq)]
pub struct PaneValues {
    /// Whether the method ran.
    pub is_ready: bool,
    /// Wall time of the frame, ms.
    pub cost_ms: f64,
    /// Force on each tool, N.
    pub tool_forces: Vec<Vec3>,
    /// Force that holds the pointer's grab, N.
    pub grab_force: Vec3,
    /// Its metrics.
    pub metrics: FrameMetrics,
    /// How far its skin was from those of the others.
    pub distances: SkinDistances,
    /// Value of each probe, m: a displacement or a position, as the scene says.
    pub probes: Vec<Vec3>,
    /// Displacement (m) and stress of von Mises (Pa) of each point inside.
    pub points: Vec<[f64; 2]>,
}
