//! The model of a body whose columns arrive while it runs.

use std::any::Any;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use pliant_core::boundary::BoundaryConditions;
use pliant_core::inspect::{
    Capabilities, Inspect, ModelStats, ParameterError, ParameterInfo, ParameterValue, PointReading,
    QuantityBuffer, QuantityInfo, UnknownQuantity,
};
use pliant_core::math::Vec3;
use pliant_core::mesh::{ControlPoints, SkinBinding, SurfaceFrame, SurfaceMesh};
use pliant_core::model::{
    DeformableModel, FrameReport, FrameRequest, SnapshotMismatch, StateSnapshot, StepError,
};
use pliant_quasistatic::asset::FinishedColumns;
use pliant_quasistatic::bake::ColumnRequests;
use pliant_quasistatic::{GreensAsset, QuasistaticModel};

use crate::threads::lock::lock;

/// Tasks of columns that are inserted in a frame: about two milliseconds each for 2,500 nodes.
const TASKS_PER_FRAME: usize = 4;

/// Results of the bake that are not in the model yet.
#[derive(Default)]
pub(super) struct Inbox {
    pub columns: VecDeque<FinishedColumns>,
    pub complete_asset: Option<Arc<GreensAsset>>,
}

/// An inbox that both threads reach.
pub(super) type SharedInbox = Arc<Mutex<Inbox>>;

/// A [`QuasistaticModel`] whose columns arrive while it runs. Constraints and loads at nodes without columns act as soon as the columns are there.
pub struct LiveQuasistatic {
    pub(super) model: QuasistaticModel,
    pub(super) inbox: SharedInbox,
    requests: ColumnRequests,
    /// whether the model has the complete asset
    is_complete: bool,
    /// the conditions of a frame whose columns are there
    answerable: BoundaryConditions,
    /// their indices among the displacements of the frame
    answered: Vec<usize>,
    reactions: Vec<Vec3>,
}

impl LiveQuasistatic {
    /// A model whose columns are still to come, through `inbox`; those that it needs first go to `requests`.
    pub(super) fn new(
        model: QuasistaticModel,
        inbox: SharedInbox,
        requests: ColumnRequests,
    ) -> Self {
        Self {
            model,
            inbox,
            requests,
            is_complete: false,
            answerable: BoundaryConditions::default(),
            answered: Vec::new(),
            reactions: Vec::new(),
        }
    }

    /// Inserts the columns that have arrived.
    pub(super) fn insert_arrived_columns(&mut self) {
        if self.is_complete {
            return;
        }
        for _ in 0..TASKS_PER_FRAME {
            let mut inbox = lock(&self.inbox);
            if let Some(asset) = inbox.complete_asset.take() {
                inbox.columns.clear();
                self.is_complete = self.model.complete(asset);
                return;
            }
            let Some(columns) = inbox.columns.pop_front() else {
                return;
            };
            drop(inbox);
            self.model.insert(&columns);
        }
    }

    /// Splits the conditions into those that can be answered and those whose columns are asked for.
    fn split_conditions(&mut self, boundary: &BoundaryConditions) {
        let asset = self.model.asset();
        let exists = |vertex: u32| (vertex as usize) < asset.rows.len();
        let has_columns = |vertex: u32| !exists(vertex) || asset.has_columns(vertex as usize);
        self.answered.clear();
        let mut missing = Vec::new();
        for (k, constraint) in boundary.displacements().iter().enumerate() {
            if has_columns(constraint.vertex) {
                self.answered.push(k);
            } else {
                missing.extend_from_slice(asset.rows.row(constraint.vertex as usize).0);
            }
        }
        let loads = boundary.loads().iter();
        for load in loads.clone().filter(|load| !has_columns(load.vertex)) {
            missing.extend_from_slice(asset.rows.row(load.vertex as usize).0);
        }
        missing.retain(|&node| !asset.matrix.has_column(node));
        missing.sort_unstable();
        missing.dedup();
        self.requests.request(&missing);
        self.answerable.gravity = boundary.gravity;
        let all = boundary.displacements();
        // a part of conditions that were accepted is accepted
        let _ = self
            .answerable
            .set_displacements(self.answered.iter().map(|&k| all[k]));
        self.answerable
            .set_loads(loads.filter(|load| has_columns(load.vertex)).copied());
    }
}

impl DeformableModel for LiveQuasistatic {
    fn surface(&self) -> &Arc<SurfaceMesh> {
        self.model.surface()
    }

    fn advance(&mut self, request: FrameRequest<'_>) -> Result<FrameReport, StepError> {
        self.insert_arrived_columns();
        if self.is_complete {
            let report = self.model.advance(request)?;
            self.reactions.clear();
            self.reactions.extend_from_slice(self.model.reactions());
            return Ok(report);
        }
        self.split_conditions(request.boundary);
        let report = self.model.advance(
            FrameRequest::new(request.duration, &self.answerable).within(request.budget),
        )?;
        let count = request.boundary.displacements().len();
        self.reactions.clear();
        self.reactions.resize(count, Vec3::zeros());
        for (&k, force) in self.answered.iter().zip(self.model.reactions()) {
            self.reactions[k] = *force;
        }
        Ok(report)
    }

    fn write_surface(&self, out: &mut SurfaceFrame) {
        self.model.write_surface(out);
    }

    fn reactions(&self) -> &[Vec3] {
        &self.reactions
    }

    fn support_reactions(&self) -> &[Vec3] {
        self.model.support_reactions()
    }

    fn reset(&mut self) {
        self.reactions.clear();
        self.model.reset();
    }

    fn as_any_mut(&mut self) -> Option<&mut dyn Any> {
        Some(&mut self.model)
    }

    fn snapshot(&self) -> StateSnapshot {
        self.model.snapshot()
    }

    fn restore(&mut self, snapshot: &StateSnapshot) -> Result<(), SnapshotMismatch> {
        self.model.restore(snapshot)
    }

    fn skin_binding(&self) -> Option<SkinBinding> {
        self.model.skin_binding()
    }

    fn write_control_points(&self, out: &mut ControlPoints) -> bool {
        self.model.write_control_points(out)
    }
}

impl Inspect for LiveQuasistatic {
    fn kind(&self) -> &'static str {
        self.model.kind()
    }

    fn capabilities(&self) -> Capabilities {
        self.model.capabilities()
    }

    fn parameters(&self) -> &[ParameterInfo] {
        self.model.parameters()
    }

    fn parameter(&self, name: &str) -> Result<ParameterValue, ParameterError> {
        self.model.parameter(name)
    }

    fn set_parameter(&mut self, name: &str, value: ParameterValue) -> Result<(), ParameterError> {
        self.model.set_parameter(name, value)
    }

    fn quantities(&self) -> &[QuantityInfo] {
        self.model.quantities()
    }

    fn sample_quantity(&self, name: &str, out: &mut QuantityBuffer) -> Result<(), UnknownQuantity> {
        self.model.sample_quantity(name, out)
    }

    fn stats(&self) -> ModelStats {
        self.model.stats()
    }

    fn visit_points(&self, visit: &mut dyn FnMut(PointReading<'_>)) {
        self.model.visit_points(visit);
    }
}
