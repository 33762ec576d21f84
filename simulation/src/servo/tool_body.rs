//! The body under tools that a device moves: what the slower thread computes and publishes.

use std::sync::Arc;

use pliant_core::boundary::BoundaryConditions;
use pliant_core::contact::tool::Tool;
use pliant_core::contact::{ContactTracker, Owner};
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceFrame;
use pliant_core::model::{DeformableModel, FrameRequest, StepError};
use pliant_quasistatic::haptics::{LocalModel, ServoOutput};
use pliant_quasistatic::{GreensAsset, QuasistaticModel};

use super::body_frames::BodyFrames;
use crate::parameters::{load_points, quasistatic_params};
use crate::setup::{Setup, SetupTool};
use crate::threads::handover::HandoverWriter;

/// Frames a second: contact is found that often, and the servo loop follows in between.
pub(super) const FRAME_RATE: f64 = 120.0;

/// Height of a tool that no device holds above the body, in diagonals.
const PARKING_HEIGHT: f64 = 10.0;

/// The quasistatic body of a scene with some of its tools, which touch it together.
pub struct ToolBody {
    setup: Arc<Setup>,
    model: QuasistaticModel,
    tracker: ContactTracker,
    boundary: BoundaryConditions,
    frame: SurfaceFrame,
    tools: Vec<Tool>,
    places: Vec<Option<Vec3>>,
    /// skin vertices in contact and their tools, ascending
    owners: Vec<(u32, u32)>,
    origins: Vec<Vec3>,
    epoch: u64,
}

impl ToolBody {
    /// The body at rest; the tools are where their paths begin until the first frame.
    pub fn new(setup: Arc<Setup>, asset: Arc<GreensAsset>, tools: &[SetupTool]) -> Self {
        let mut model = QuasistaticModel::new(asset, &quasistatic_params(&setup));
        // names are the model's own, and the scene's reader takes finite loads only
        let _ = load_points(&mut model, &setup);
        let mut frame = SurfaceFrame::default();
        model.write_surface(&mut frame);
        let tools: Vec<Tool> = tools.iter().map(|tool| tool.at(0.0)).collect();
        Self {
            model,
            tracker: ContactTracker::default(),
            boundary: BoundaryConditions::default(),
            frame,
            places: vec![None; tools.len()],
            owners: Vec::new(),
            origins: Vec::new(),
            tools,
            setup,
            epoch: 0,
        }
    }

    /// Number of tools.
    pub fn tools(&self) -> usize {
        self.tools.len()
    }

    /// Diagonal of the body, m.
    pub fn diagonal(&self) -> f64 {
        self.setup.diagonal
    }

    /// Force of a tool on the body in the last frame, N.
    pub fn force(&self, tool: usize) -> Vec3 {
        let owners = self.owners.iter().zip(self.model.reactions());
        let own = owners.filter(|((_, owner), _)| *owner as usize == tool);
        own.map(|(_, reaction)| reaction).sum()
    }

    /// A frame of `duration` seconds that ends with each tool at its place (m), or without it.
    ///
    /// # Errors
    /// [`StepError`] of the model.
    pub fn step(&mut self, places: &[Option<Vec3>], duration: f64) -> Result<(), StepError> {
        let body = self.setup.touched_body(&self.frame, false);
        let away = Vec3::y() * (PARKING_HEIGHT * self.setup.diagonal);
        for (k, tool) in self.tools.iter_mut().enumerate() {
            let place = places.get(k).copied().flatten().unwrap_or(away);
            tool.begin = tool.end;
            tool.end.position = place;
        }
        let tools = self.tools.as_slice();
        let (constraints, owners) = self.tracker.update(&body, tools, &[], duration);
        self.owners.clear();
        let pairs = constraints.iter().zip(owners);
        self.owners
            .extend(pairs.filter_map(|(c, owner)| match owner {
                Owner::Tool(k) => Some((c.vertex, *k as u32)),
                Owner::Grab(_) => None,
            }));
        self.boundary
            .set_displacements(constraints.iter().copied())
            .map_err(|e| StepError::Diverged {
                method: "quasistatic",
                time: 0.0,
                cause: e.to_string(),
            })?;
        self.boundary.gravity = self.setup.description.gravity;
        self.model
            .advance(FrameRequest::new(duration, &self.boundary))?;
        self.model.write_surface(&mut self.frame);
        self.tracker.record_reactions(self.model.reactions());
        Ok(())
    }

    /// The local contact model of the last frame; `out` keeps its memory.
    pub(crate) fn write_local_model(&mut self, out: &mut LocalModel) {
        let origins = &mut self.origins;
        origins.clear();
        origins.extend(self.tools.iter().map(|tool| tool.end.position));
        let owners = &self.owners;
        let owner_of = |vertex: u32| {
            let at = owners.binary_search_by_key(&vertex, |(v, _)| *v).ok()?;
            Some(owners[at].1)
        };
        self.model.write_local_model(origins, owner_of, out);
        self.epoch += 1;
        out.epoch = self.epoch;
    }

    /// Steps a frame with each tool at the tip of its device, and publishes the local contact model. A frame that fails publishes nothing, so that the force fades. Returns the largest
    /// displacement of a skin vertex, m.
    pub(super) fn follow(
        &mut self,
        tips: &[ServoOutput],
        writer: &mut HandoverWriter<LocalModel>,
        frames: &mut BodyFrames,
    ) -> Option<f64> {
        let mut places = std::mem::take(&mut self.places);
        for (place, tip) in places.iter_mut().zip(tips) {
            *place = tip.connected.then_some(tip.tip);
        }
        let stepped = self.step(&places, 1.0 / FRAME_RATE);
        self.places = places;
        if stepped.is_err() {
            frames.failed += 1;
            return None;
        }
        let model = writer.buffer();
        self.write_local_model(model);
        frames.frames += u64::from(!model.is_empty());
        frames.contact_nodes = frames.contact_nodes.max(model.len());
        writer.publish();
        let vertices = 0..self.setup.skin().vertex_count();
        let sizes = vertices.map(|v| self.model.displacement(v).norm());
        Some(sizes.fold(0.0, f64::max))
    }
}
