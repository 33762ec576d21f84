//! The interface that every deformable model implements.

use std::any::Any;
use std::sync::Arc;

use crate::boundary::BoundaryConditions;
use crate::contact::OwnContact;
use crate::inspect::Inspect;
use crate::math::Vec3;
use crate::mesh::{ControlPoints, SkinBinding, SurfaceFrame, SurfaceMesh};

/// A body that deforms: a shared baked asset plus its own mutable state.
///
/// A model does not know who constrains it: tools and grabs look alike. Supports belong to the model (they are baked in).
/// The same requests give the same bits, for any number of threads.
pub trait DeformableModel: Inspect + Send {
    /// The skin at rest; its connectivity is fixed for the life of the model.
    fn surface(&self) -> &Arc<SurfaceMesh>;

    /// Advances by exactly `request.duration` seconds of physical time.
    ///
    /// # Errors
    /// See [`StepError`]. After an error the model keeps its last good state.
    fn advance(&mut self, request: FrameRequest<'_>) -> Result<FrameReport, StepError>;

    /// Deformed positions and normals, one per skin vertex, world coordinates.
    fn write_surface(&self, out: &mut SurfaceFrame);

    /// Force on the body (N) of each displacement constraint of the last frame, in its order; the mean over the frame for a model with inertia.
    fn reactions(&self) -> &[Vec3];

    /// Force on the body (N) of each support, in the order of the description.
    fn support_reactions(&self) -> &[Vec3];

    /// Back to rest.
    fn reset(&mut self);

    /// The mutable state, complete: [`DeformableModel::restore`] continues to the same bits.
    fn snapshot(&self) -> StateSnapshot;

    /// Takes a snapshot back.
    ///
    /// # Errors
    /// [`SnapshotMismatch`] when it comes from another kind or size of model.
    fn restore(&mut self, snapshot: &StateSnapshot) -> Result<(), SnapshotMismatch>;

    /// How the skin hangs on control points, for drawing it from these alone; `None` for a model whose skin does not. Cost: a pass over skin and
    /// control points; it does not change for the life of the model.
    fn skin_binding(&self) -> Option<SkinBinding> {
        None
    }

    /// Adds the control points of [`DeformableModel::skin_binding`] as they are now. Whether the skin follows them: false, and nothing of use is
    /// added, for a model without a binding and while a body is broken.
    fn write_control_points(&self, out: &mut ControlPoints) -> bool {
        let _ = out;
        false
    }

    /// The model itself, for what only one kind of it offers; the crate that knows all kinds looks.
    fn as_any_mut(&mut self) -> Option<&mut dyn Any> {
        None
    }

    /// The model's own way with tools, where it finds contacts by itself (several bodies, or one that touches itself). Tools are then given to it
    /// before [`DeformableModel::advance`] instead of as constraints.
    fn own_contact(&mut self) -> Option<&mut dyn OwnContact> {
        None
    }
}

/// What one frame asks for.
pub struct FrameRequest<'a> {
    /// Length of the frame, s.
    pub duration: f64,
    /// Constraints (targets hold at the END of the frame), loads and gravity.
    pub boundary: &'a BoundaryConditions,
    /// Most work to spend.
    pub budget: WorkBudget,
    /// Called once per substep with the reactions of that substep.
    pub force_tap: Option<&'a mut dyn ForceTap>,
}

/// Receives the reactions of every substep, for force feedback.
pub trait ForceTap {
    /// `time` since the start of the frame (s) and one force (N) per displacement constraint.
    fn sample(&mut self, time: f64, reactions: &[Vec3]);
}

/// Most work that a frame may spend, in units that each model documents (tetrahedron evaluations, particle steps, ...).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkBudget(pub u64);

impl WorkBudget {
    /// No limit.
    pub const UNLIMITED: Self = Self(u64::MAX);
}

/// What a frame did.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FrameReport {
    /// Steps taken inside the frame.
    pub substeps: u32,
    /// Work units spent.
    pub work_used: u64,
    /// Whether quality was given up to stay in the budget.
    pub degraded: Option<Degradation>,
    /// Deepest penetration or largest distance from a held target at the end of the frame, m.
    pub max_violation: f64,
    /// Energies at the end of the frame; `None` for a model without an energy.
    pub energy: Option<EnergyAccount>,
}

/// Energies, J. `dissipated` and `work` count from the last reset.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct EnergyAccount {
    /// Kinetic energy.
    pub kinetic: f64,
    /// Strain energy, zero at rest.
    pub elastic: f64,
    /// Potential energy of gravity, zero at rest.
    pub potential: f64,
    /// Lost to damping so far.
    pub dissipated: f64,
    /// Put in by tools, grabs and loads so far.
    pub work: f64,
}

impl EnergyAccount {
    /// `kinetic + elastic + potential + dissipated − work`: zero where nothing is lost or made.
    pub fn balance(&self) -> f64 {
        self.kinetic + self.elastic + self.potential + self.dissipated - self.work
    }

    /// Largest term, the scale against which [`EnergyAccount::balance`] is judged.
    pub fn scale(&self) -> f64 {
        [
            self.kinetic,
            self.elastic,
            self.potential,
            self.dissipated,
            self.work,
        ]
        .into_iter()
        .fold(0.0, |a, b| a.max(b.abs()))
    }
}

/// Which quality a frame gave up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Degradation {
    /// A finer resolution was not affordable.
    RefinementWithheld,
    /// Fewer constraints than asked for were solved, or only a part of the way that they asked for.
    CoarserConstraints,
    /// Fewer steps than wanted were taken.
    FewerSubsteps,
    /// Viscous forces were left out.
    DampingSkipped,
    /// The body lived through a part of the frame only.
    SlowMotion,
    /// Constraints were let go of: nothing touched the body.
    ConstraintsReleased,
    /// The frame could not be computed, and the body stood still instead.
    StoodStill,
}

impl Degradation {
    /// All of them, in the order of the enum.
    pub const ALL: [Self; 7] = [
        Self::RefinementWithheld,
        Self::CoarserConstraints,
        Self::FewerSubsteps,
        Self::DampingSkipped,
        Self::SlowMotion,
        Self::ConstraintsReleased,
        Self::StoodStill,
    ];

    /// Name for reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::RefinementWithheld => "refinement_withheld",
            Self::CoarserConstraints => "coarser_constraints",
            Self::FewerSubsteps => "fewer_substeps",
            Self::DampingSkipped => "damping_skipped",
            Self::SlowMotion => "slow_motion",
            Self::ConstraintsReleased => "constraints_released",
            Self::StoodStill => "stood_still",
        }
    }
}

/// Why a frame could not be computed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// The state stopped being finite or its energy exploded.
    #[error(
        "{method} diverged at {time:.4} s: {cause}\n  remedy: move tools more slowly, raise the damping, or use the law `stable_neo_hookean`"
    )]
    Diverged {
        /// Kind of the model.
        method: &'static str,
        /// Physical time since reset, s.
        time: f64,
        /// What was seen first, and where.
        cause: String,
    },
    /// A static model without any support.
    #[error("nothing holds the body, so it has no equilibrium\n  remedy: add a [[body.support]]")]
    Unconstrained,
    /// The contact equations have no unique answer.
    #[error(
        "the capacitance matrix is singular at skin vertex {vertex}\n  remedy: constrain fewer vertices there"
    )]
    SingularCapacitance {
        /// The vertex whose row failed.
        vertex: u32,
    },
    /// A constraint or load on a place of which the Green's functions say nothing.
    #[error(
        "vertex {vertex} is constrained or loaded, but the Green's functions have no column for it\n  remedy: touch the body elsewhere, or bake or import the missing columns"
    )]
    MissingColumn {
        /// The vertex.
        vertex: u32,
    },
}

impl StepError {
    /// The variant's name, the error code of the JSON output.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Diverged { .. } => "Diverged",
            Self::Unconstrained => "Unconstrained",
            Self::SingularCapacitance { .. } => "SingularCapacitance",
            Self::MissingColumn { .. } => "MissingColumn",
        }
    }
}

/// A model's mutable state as numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct StateSnapshot {
    /// Kind of the model it belongs to.
    pub kind: &'static str,
    /// State in the model's own order.
    pub values: Vec<f64>,
}

/// A snapshot does not fit the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "the snapshot belongs to another model\n  remedy: restore it to the model it was taken from"
)]
pub struct SnapshotMismatch;
