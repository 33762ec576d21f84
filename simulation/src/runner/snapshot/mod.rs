//! What a window sees of the simulation: all panes of one frame.

mod distances;
mod frame_values;
mod publish;
pub(super) mod recent_frames;
#[cfg(test)]
mod tests;

use std::ops::Range;
use std::sync::Arc;

use pliant_core::boundary::NodalLoad;
use pliant_core::contact::tool::Tool;
use pliant_core::inspect::{
    ElementShapes, ModelStats, ParameterError, ParameterInfo, ParameterValue, PointState,
    QuantityInfo,
};
use pliant_core::math::Vec3;
use pliant_core::mesh::{ControlPoints, SkinBinding, SurfaceFrame};
use pliant_core::scene::Method;

pub use frame_values::{FrameValues, PaneValues, SkinDistances};

use super::timeline::TimelineStatus;
use crate::compare::advice::{Advice, AdviceProgress};
use crate::error::Fault;
use crate::reference::{Accuracy, Reference};
use crate::servo::ForceFeedback;
use crate::setup::Setup;
use crate::world::FrameMetrics;

/// Vertices up to which skins are measured in every frame. Beyond, measuring takes longer than some tens of microseconds a pane, and waits for
/// [`Command::MeasureSkins`](super::command::Command::MeasureSkins).
pub const MEASURED_ALWAYS: usize = 5000;

/// State of all panes after one frame.
#[derive(Debug, Clone, Default)]
pub struct WorldSnapshot {
    /// The scene; `None` until the first skin is there.
    pub setup: Option<Arc<Setup>>,
    /// Incremented when another scene was opened: skins have to be uploaded again.
    pub scene_number: u64,
    /// Whether that scene is the one before, prepared again: its files were changed, or its material.
    pub is_prepared_again: bool,
    /// Incremented with every frame and every visible change.
    pub version: u64,
    /// Physical time, s.
    pub time: f64,
    /// Whether frames follow each other by themselves.
    pub playing: bool,
    /// The recent past, and which frame of it is shown.
    pub timeline: TimelineStatus,
    /// Whether gravity was switched on by hand.
    pub gravity_on: bool,
    /// Simulated time over wall time in the last frames; below 1 the simulation cannot keep up.
    pub speed: f64,
    /// Wall time of the last frame of all methods, ms.
    pub frame_ms: f64,
    /// Frames simulated since the scene was opened.
    pub frames: u64,
    /// Commands that were carried out before the last simulated frame, all scenes together: the numbers that [`Runner::send`](crate::runner::Runner::send) returned up to this one.
    pub commands: u64,
    /// Methods that became ready late, so that all methods began again together with them; empty after any other beginning.
    pub began_again: Vec<Method>,
    /// The numbers of the last frames, the newest last, which is the one that is shown.
    pub recent: Vec<Arc<FrameValues>>,
    /// Force with which the pointer pulls at the skin, N, the same in all panes; `None` while it does not pull.
    pub pull_force: Option<Vec3>,
    /// Tools at the end of the frame.
    pub tools: Vec<Tool>,
    /// Force of the quasistatic body on a hand at the pointer; `None` where the scene has no such body, or no tool that follows the pointer.
    pub force_feedback: Option<ForceFeedback>,
    /// What the panes are compared with.
    pub reference: ReferenceStatus,
    /// Frames of the reference where it is that of what the hand did last, counted from time zero; `None` where it is that of the script.
    pub touched: Option<Range<u64>>,
    /// Which method and settings suit the scene.
    pub advice: AdviceStatus,
    /// One pane a method, in the order of [`Method::ALL`].
    pub panes: Vec<PaneSnapshot>,
    /// Why the last scene or mesh could not be opened; the one before runs on.
    pub open_error: Option<String>,
    /// What is being opened now, if anything.
    pub opening: Option<String>,
    /// The text of the scene as it was last asked for with [`Command::WriteScene`](super::command::Command::WriteScene), or in a line why there is none. Each answer is an `Arc` of its own.
    pub written_scene: Option<Arc<Result<String, String>>>,
}

/// One method's pane.
#[derive(Debug, Clone)]
pub struct PaneSnapshot {
    /// The method.
    pub method: Method,
    /// Whether it runs.
    pub state: PaneState,
    /// Finished share of the bake while the pane runs a coarse model, or one without some columns; 1 where the complete model waits for a moment without contact. Any share while the pane itself waits for that moment. A touch at vertices without columns meets no resistance.
    pub baked: Option<f64>,
    /// Stage of that bake by name; empty while it waits for its turn.
    pub bake_stage: String,
    /// Its skin; the rest skin until the method is ready.
    pub frame: SurfaceFrame,
    /// How the skin follows control points; `None` for a method whose skin does not, and until it runs.
    pub binding: Option<Arc<SkinBinding>>,
    /// The control points of `binding`; empty while the skin does not follow them, as where a body is broken.
    pub control_points: ControlPoints,
    /// Wall time of the last frame, ms.
    pub cost_ms: f64,
    /// Force on each tool, N.
    pub tool_forces: Vec<Vec3>,
    /// How far its force is from the reference; `None` until all of the script was seen once, undisturbed, or where it did not run while the hand touched the body.
    pub accuracy: Option<Accuracy>,
    /// Force that holds the pointer's grab, N.
    pub grab_force: Vec3,
    /// Metrics of the last frame.
    pub metrics: FrameMetrics,
    /// How far its skin is from those of the others.
    pub distances: SkinDistances,
    /// Force on the body at each skin vertex that a tool, a grab or a load acts on. Where bodies find contacts themselves, of their tools only the forces on what sticks to them are among these.
    pub vertex_forces: Vec<NodalLoad>,
    /// Value of each probe, m: a displacement or a position, as the scene says.
    pub probes: Vec<Vec3>,
    /// Named points inside the body.
    pub points: Vec<PointMark>,
    /// Sizes, counters and notes.
    pub stats: ModelStats,
    /// Parameters with their present values.
    pub parameters: Vec<(ParameterInfo, ParameterValue)>,
    /// The last value of each parameter that the model refused, until it takes another one.
    pub refused: Vec<RefusedValue>,
    /// Shapes of the tetrahedra of its finest mesh at rest; `None` for a method that keeps none, and until it runs.
    pub element_shapes: Option<ElementShapes>,
    /// Quantities that can be shown.
    pub quantities: Vec<QuantityInfo>,
    /// Name and per-vertex values of the quantity that is shown, if any.
    pub quantity: Option<(String, Vec<f32>)>,
}

/// A named point inside a body.
#[derive(Debug, Clone, PartialEq)]
pub struct PointMark {
    /// Its name.
    pub name: String,
    /// Where it is now, m.
    pub place: Vec3,
    /// What it feels.
    pub state: PointState,
}

/// State of the reference.
#[derive(Debug, Clone, Default)]
pub enum ReferenceStatus {
    /// The methods are not ready yet.
    #[default]
    None,
    /// It is being computed.
    Computing {
        /// The same on levels of few nodes, once there is that.
        estimate: Option<Arc<Reference>>,
        /// Stage by name.
        stage: String,
        /// Finished share of the stage, 0 to 1.
        fraction: f64,
    },
    /// It is finished, or an estimate is the best that can be computed.
    Ready(Arc<Reference>),
    /// It cannot be computed, and why: a line, which is short where there are further ones.
    Unavailable(String),
}

impl ReferenceStatus {
    /// The reference, or else the estimate.
    pub fn found(&self) -> Option<&Arc<Reference>> {
        match self {
            Self::Ready(found) => Some(found),
            Self::Computing { estimate, .. } => estimate.as_ref(),
            Self::None | Self::Unavailable(_) => None,
        }
    }
}

/// State of an advice.
#[derive(Debug, Clone, Default)]
pub enum AdviceStatus {
    /// None was requested, or it was cancelled.
    #[default]
    None,
    /// It is being computed.
    Running(AdviceProgress),
    /// It is finished.
    Ready(Arc<Advice>),
    /// There is none, and why.
    Failed(Fault),
}

/// Whether a pane runs.
#[derive(Debug, Clone, PartialEq)]
pub enum PaneState {
    /// Waits for its turn.
    Waiting,
    /// Its asset is being baked.
    Baking {
        /// Stage by name.
        stage: String,
        /// Finished share of the stage, 0 to 1.
        fraction: f64,
    },
    /// Runs.
    Ready,
    /// Cannot run this scene, and why.
    NotApplicable(Fault),
    /// Stopped at its last good frame, and why.
    Stopped(Fault),
}

/// A value that a model refused.
#[derive(Debug, Clone, PartialEq)]
pub struct RefusedValue {
    /// Name of the parameter.
    pub name: String,
    /// The value.
    pub value: ParameterValue,
    /// Why.
    pub error: ParameterError,
}

impl PaneSnapshot {
    /// A pane that waits.
    pub fn waiting(method: Method) -> Self {
        Self {
            method,
            state: PaneState::Waiting,
            baked: None,
            bake_stage: String::new(),
            frame: SurfaceFrame::default(),
            binding: None,
            control_points: ControlPoints::default(),
            cost_ms: 0.0,
            tool_forces: Vec::new(),
            accuracy: None,
            grab_force: Vec3::zeros(),
            metrics: FrameMetrics::default(),
            distances: SkinDistances::default(),
            vertex_forces: Vec::new(),
            probes: Vec::new(),
            points: Vec::new(),
            stats: ModelStats::default(),
            parameters: Vec::new(),
            refused: Vec::new(),
            element_shapes: None,
            quantities: Vec::new(),
            quantity: None,
        }
    }
}
