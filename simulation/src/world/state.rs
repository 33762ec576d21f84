//! One method on one scene: its model, the tools and grabs, and the frame it is at.

use std::sync::Arc;

use pliant_core::boundary::{BoundaryConditions, NodalLoad};
use pliant_core::contact::cutting::BladeSweep;
use pliant_core::contact::tool::Tool;
use pliant_core::contact::{ContactTracker, Grab, Pose, PushedVertex};
use pliant_core::inspect::{ParameterError, ParameterValue};
use pliant_core::mesh::SurfaceFrame;
use pliant_core::model::{DeformableModel, StepError};
use pliant_core::scene::Method;

use super::metrics::EnclosedVolume;
use super::output::FrameOutput;
use super::pace::FramePace;
use super::parameters::HandParameters;
use crate::setup::Setup;

/// One method, or a model of somebody's own, on one scene.
pub struct World {
    /// what messages call the model
    pub(super) name: &'static str,
    pub(super) model: Box<dyn DeformableModel>,
    pub(super) setup: Arc<Setup>,
    /// of the skin at rest
    pub(super) volume: EnclosedVolume,
    /// the skin now
    pub(super) frame: SurfaceFrame,
    pub(super) tracker: ContactTracker,
    pub(super) boundary: BoundaryConditions,
    pub(super) tools: Vec<Tool>,
    pub(super) grabs: Vec<Grab>,
    /// what tools with adhesion pushed in the last frame, where bodies find their contacts themselves
    pub(super) pushed: Vec<PushedVertex>,
    /// what the blades among the tools sweep in the frame
    pub(super) sweeps: Vec<BladeSweep>,
    /// frames since reset
    pub(super) index: u64,
    pub(super) output: FrameOutput,
    pub(super) pace: Option<FramePace>,
    /// of each tool, if a program has taken it over
    pub(super) poses: Vec<Option<Pose>>,
    /// forces of a program in the next frame
    pub(super) loads: Vec<NodalLoad>,
    /// what the hand of the scene sets of the model
    pub(super) parameters: HandParameters,
}

impl World {
    /// A world at rest.
    pub fn new(method: Method, model: Box<dyn DeformableModel>, setup: Arc<Setup>) -> Self {
        let parameters = HandParameters::new(&setup, method, model.as_ref());
        Self::at_rest(method.name(), model, setup, parameters)
    }

    /// A world at rest around a model that is none of the methods: it keeps its parameters, whatever the hand of the scene sets.
    pub fn of_own_model(model: Box<dyn DeformableModel>, setup: Arc<Setup>) -> Self {
        Self::at_rest("the model", model, setup, HandParameters::default())
    }

    fn at_rest(
        name: &'static str,
        model: Box<dyn DeformableModel>,
        setup: Arc<Setup>,
        parameters: HandParameters,
    ) -> Self {
        let mut frame = SurfaceFrame::default();
        model.write_surface(&mut frame);
        let mut world = Self {
            name,
            model,
            frame,
            tracker: ContactTracker::default(),
            boundary: BoundaryConditions::default(),
            tools: Vec::new(),
            grabs: Vec::new(),
            pushed: Vec::new(),
            sweeps: Vec::new(),
            index: 0,
            output: FrameOutput::default(),
            pace: None,
            poses: vec![None; setup.tools.len()],
            loads: Vec::new(),
            parameters,
            volume: EnclosedVolume::of(setup.skin()),
            setup,
        };
        world.rebuild_tools();
        world
    }

    /// The model, for reading.
    pub fn model(&self) -> &dyn DeformableModel {
        self.model.as_ref()
    }

    /// Sets a parameter of the model. If the hand of the scene sets it, too, the model follows that no longer.
    ///
    /// # Errors
    /// As [`Inspect::set_parameter`](pliant_core::inspect::Inspect::set_parameter).
    pub fn set_parameter(
        &mut self,
        name: &str,
        value: ParameterValue,
    ) -> Result<(), ParameterError> {
        self.model.set_parameter(name, value)?;
        self.parameters.release(name);
        Ok(())
    }

    /// Sets what the hand of the scene has set before the frame `until`, and nothing that it sets later.
    pub(super) fn update_parameters(&mut self, until: u64) -> Result<(), StepError> {
        let updated = self.parameters.update_to(until, self.model.as_mut());
        updated.map_err(|refused| StepError::ParameterRefused {
            method: self.name,
            time: self.time(),
            cause: refused.to_string(),
        })
    }

    /// Gives frames a budget in processor time, which depends on the machine and on its load: for runs in step with a clock. `None` leaves the work of a frame
    /// to the model, so that results depend on the input alone.
    pub fn set_pace(&mut self, pace: Option<FramePace>) {
        self.pace = pace;
    }

    /// The budget in processor time, where there is one.
    pub fn pace(&self) -> Option<&FramePace> {
        self.pace.as_ref()
    }

    /// The same, for another budget.
    pub fn pace_mut(&mut self) -> Option<&mut FramePace> {
        self.pace.as_mut()
    }

    /// The skin now.
    pub fn frame(&self) -> &SurfaceFrame {
        &self.frame
    }

    /// Tools as they were in the last frame.
    pub fn tools(&self) -> &[Tool] {
        &self.tools
    }

    /// Results of the last frame.
    pub fn output(&self) -> &FrameOutput {
        &self.output
    }

    /// Physical time, s.
    pub fn time(&self) -> f64 {
        self.index as f64 * self.setup.frame_duration()
    }

    /// Frames since reset.
    pub fn frame_index(&self) -> u64 {
        self.index
    }

    /// Whether any tool or grab touches the body.
    pub fn in_contact(&self) -> bool {
        !self.tracker.owners().is_empty()
    }

    /// Back to rest at time zero.
    pub fn reset(&mut self) {
        self.reset_to(0);
    }

    /// At rest, but at the time of frame `index`: how a method joins others that already run.
    pub(crate) fn reset_to(&mut self, index: u64) {
        // the next frame tells of a value that is refused
        let _ = self.update_parameters(index);
        self.model.reset();
        self.tracker.reset();
        self.index = index;
        self.poses.fill(None);
        self.loads.clear();
        self.output = FrameOutput::default();
        self.rebuild_tools();
        self.model.write_surface(&mut self.frame);
    }

    /// Moves tool `k` to `pose` in the next frame and keeps it there, whatever its path says; `None` gives it back to its path, or to the tool that carries it. A number without a tool is ignored.
    pub fn pose_tool(&mut self, k: usize, pose: Option<Pose>) {
        if let Some(of_tool) = self.poses.get_mut(k) {
            *of_tool = pose;
        }
    }

    /// Adds a force on a skin vertex, for the next frame only.
    pub fn add_load(&mut self, load: NodalLoad) {
        self.loads.push(load);
    }
}
