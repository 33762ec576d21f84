//! The interface that every deformable model implements.

use std::any::Any;
use std::sync::Arc;

use crate::contact::cutting::{BladeSweep, CannotCut};
use crate::inspect::Inspect;
use crate::math::Vec3;
use crate::mesh::{ControlPoints, SkinBinding, SurfaceFrame, SurfaceMesh};
use crate::model::error::StepError;
use crate::model::frame::{FrameReport, FrameRequest};
use crate::model::own_contact::OwnContact;
use crate::model::snapshot::{SnapshotMismatch, StateSnapshot};

/// A body that deforms: a shared baked asset plus its own mutable state.
///
/// In each frame, displacements of skin vertices go in as [`BoundaryConditions`](crate::boundary::BoundaryConditions), and the deformed skin and the forces of the constraints come out. A model
/// does not distinguish tools and grabs: both are constraints. Supports belong to the model, because they are part of its asset. The same requests give the same bits, for any number of threads.
///
/// A method of your own implements the required methods of this trait and of [`Inspect`]: `pliant/examples/fourth_method` in the repository is a mass-spring network.
pub trait DeformableModel: Inspect + Send {
    /// The skin at rest, world coordinates; its connectivity is fixed for the life of the model.
    fn surface(&self) -> &Arc<SurfaceMesh>;

    /// Advances by exactly `request.duration` seconds of physical time.
    ///
    /// # Errors
    /// See [`StepError`]. After an error the model keeps its last good state.
    ///
    /// # Panics
    /// A model may panic where the boundary conditions name a vertex that its surface does not have.
    fn advance(&mut self, request: FrameRequest<'_>) -> Result<FrameReport, StepError>;

    /// Writes deformed positions and normals, one per skin vertex, world coordinates; and the cut surface of a body that was cut or has broken. Reuses memory.
    fn write_surface(&self, out: &mut SurfaceFrame);

    /// Force on the body (world, N) of each displacement constraint of the last frame, in the order of
    /// [`BoundaryConditions::displacements`](crate::boundary::BoundaryConditions::displacements); the mean over the frame for a model with inertia.
    fn reactions(&self) -> &[Vec3];

    /// Force on the body (world, N) of each support in the last frame, in the order of [`BodyGeometry::supports`](crate::asset::BodyGeometry::supports).
    fn support_reactions(&self) -> &[Vec3];

    /// Returns to the state at rest at time zero.
    fn reset(&mut self);

    /// The mutable state, complete: [`DeformableModel::restore`] continues to the same bits.
    fn snapshot(&self) -> StateSnapshot;

    /// Restores a snapshot.
    ///
    /// # Errors
    /// [`SnapshotMismatch`] when it comes from another kind or size of model.
    fn restore(&mut self, snapshot: &StateSnapshot) -> Result<(), SnapshotMismatch>;

    /// Binding of the skin to control points, for drawing it from these alone; `None` for a model without one. It does not change for the life of the model. Cost: a pass over skin and
    /// control points.
    fn skin_binding(&self) -> Option<SkinBinding> {
        None
    }

    /// Appends the present control points of [`DeformableModel::skin_binding`]. Returns whether the skin follows them: `false` for a model without a binding and while a body is
    /// broken. The appended points are then of no use.
    fn write_control_points(&self, out: &mut ControlPoints) -> bool {
        let _ = out;
        false
    }

    /// The model itself, for functions that only one kind of model has. The crate that knows all kinds casts it.
    fn as_any_mut(&mut self) -> Option<&mut dyn Any> {
        None
    }

    /// Sets the sweeps of blades in the next frame, in place of earlier ones; the body is cut there at the end of the frame. They do not apply to further frames. The
    /// same sweeps give the same cuts, for any number of threads. An empty list asks whether the body can be cut.
    ///
    /// # Errors
    /// [`CannotCut`] for a model that cannot cut, which is the default.
    fn set_blades(&mut self, sweeps: &[BladeSweep]) -> Result<(), CannotCut> {
        let _ = sweeps;
        Err(CannotCut)
    }

    /// The model's own contact detection, if it has one (several bodies, or one that touches itself). It then gets tools
    /// before [`DeformableModel::advance`], instead of constraints.
    fn own_contact(&mut self) -> Option<&mut dyn OwnContact> {
        None
    }
}
