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

    /// What blades sweep in the next frame, in place of what was said before: it is cut there, when the frame ends. None is said again for the frame after. The
    /// same sweeps give the same cuts, for any number of threads. None at all ask whether the body can be cut.
    ///
    /// # Errors
    /// [`CannotCut`] for a model that cannot cut, which is the default.
    fn set_blades(&mut self, sweeps: &[BladeSweep]) -> Result<(), CannotCut> {
        let _ = sweeps;
        Err(CannotCut)
    }

    /// The model's own way with tools, where it finds contacts by itself (several bodies, or one that touches itself). Tools are then given to it
    /// before [`DeformableModel::advance`] instead of as constraints.
    fn own_contact(&mut self) -> Option<&mut dyn OwnContact> {
        None
    }
}
