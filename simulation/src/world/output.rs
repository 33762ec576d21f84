//! What a frame produced.

use pliant_core::boundary::NodalLoad;
use pliant_core::contact::ToolWrench;
use pliant_core::inspect::PointState;
use pliant_core::math::Vec3;
use pliant_core::model::FrameReport;

use super::metrics::FrameMetrics;

/// Everything that a frame produced.
#[derive(Debug, Clone, Default)]
pub struct FrameOutput {
    /// Physical time at the end of the frame, s.
    pub time: f64,
    /// Force and torque on each tool.
    pub wrenches: Vec<ToolWrench>,
    /// Force of each grab on the body, N; the pointer's grab comes last when there is one.
    pub grab_forces: Vec<Vec3>,
    /// Force on the body at each skin vertex that a tool, a grab or a load acts on. Where bodies find contacts themselves, of their tools only the forces on what sticks to them are among these.
    pub vertex_forces: Vec<NodalLoad>,
    /// Force of each support on the body, N: one a support of each kind of bodies, in their order, for all bodies of the kind together.
    pub support_forces: Vec<Vec3>,
    /// Value of each probe, m: a displacement or a position, as the scene says.
    pub probes: Vec<Vec3>,
    /// Each named point inside, in the order of the model.
    pub points: Vec<PointState>,
    /// What the model reports.
    pub report: FrameReport,
    /// Its metrics, but for the change of volume: [`World::metrics`](super::World::metrics) has all.
    pub metrics: FrameMetrics,
    /// Wall time of the model and its contact, ms. Never enters a result.
    pub cost_ms: f64,
    /// Processor time of the thread that did it, ms. Measured only where a [`FramePace`](super::pace::FramePace) needs it.
    pub busy_ms: f64,
}

impl FrameOutput {
    /// Norm of the force of each tool, then of each grab, N.
    pub fn force_norms(&self) -> impl Iterator<Item = f64> {
        let tools = self.wrenches.iter().map(|w| w.force.norm());
        tools.chain(self.grab_forces.iter().map(Vec3::norm))
    }
}
