//! One method on one scene: model, contact, probes, stepped a frame at a time.

use std::sync::Arc;
use std::time::Instant;

use pliant_core::boundary::BoundaryConditions;
use pliant_core::contact::tool::Tool;
use pliant_core::contact::{ContactTracker, Grab, Owner, Pose, ToolWrench, TouchedBody};
use pliant_core::inspect::PointState;
use pliant_core::math::Vec3;
use pliant_core::mesh::{ControlPoints, SurfaceFrame};
use pliant_core::model::{DeformableModel, FrameReport, FrameRequest, StepError, WorkBudget};
use pliant_core::scene::Method;
use pliant_quasistatic::QuasistaticModel;
use pliant_quasistatic::haptics::LocalModel;

use crate::pace::FramePace;
use crate::setup::Setup;

mod control;

use control::Control;
pub use control::WorldSnapshot;

/// What comes from outside the scene during a frame: the hand of a user. Equal for all panes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Interaction {
    /// Position of the tool that follows the pointer, m; `None` leaves it to its script.
    pub tool_position: Option<Vec3>,
    /// Skin vertices held by the pointer and their displacement from rest, m.
    pub grab: Option<PointerGrab>,
    /// Whether gravity is switched on where the scene has none.
    pub gravity_on: bool,
}

/// Skin vertices held by the pointer.
#[derive(Debug, Clone, PartialEq)]
pub struct PointerGrab {
    /// Skin vertices, ascending.
    pub vertices: Vec<u32>,
    /// Displacement from rest at which they are held, m.
    pub displacement: Vec3,
}

/// Everything that a frame produced.
#[derive(Debug, Clone, Default)]
pub struct FrameOutput {
    /// Physical time at the end of the frame, s.
    pub time: f64,
    /// Force and torque on each tool.
    pub wrenches: Vec<ToolWrench>,
    /// Force of each grab on the body, N; the pointer's grab comes last when there is one.
    pub grab_forces: Vec<Vec3>,
    /// Force of each support on the body, N.
    pub support_forces: Vec<Vec3>,
    /// Value of each probe.
    pub probes: Vec<Vec3>,
    /// Each named point inside, in the order of the model.
    pub points: Vec<PointState>,
    /// What the model reports.
    pub report: FrameReport,
    /// Wall time of the model and its contact, ms. Never enters a result.
    pub cost_ms: f64,
    /// Processor time of the thread that did it, ms; measured with a [`FramePace`] only, whose budget it decides.
    pub busy_ms: f64,
}

/// One method on one scene.
pub struct World {
    method: Method,
    model: Box<dyn DeformableModel>,
    setup: Arc<Setup>,
    frame: SurfaceFrame,
    tracker: ContactTracker,
    boundary: BoundaryConditions,
    tools: Vec<Tool>,
    grabs: Vec<Grab>,
    index: u64,
    output: FrameOutput,
    pace: Option<FramePace>,
    control: Control,
}

impl World {
    /// A world at rest.
    pub fn new(method: Method, model: Box<dyn DeformableModel>, setup: Arc<Setup>) -> Self {
        let mut frame = SurfaceFrame::default();
        model.write_surface(&mut frame);
        let mut world = Self {
            method,
            model,
            frame,
            tracker: ContactTracker::default(),
            boundary: BoundaryConditions::default(),
            tools: Vec::new(),
            grabs: Vec::new(),
            index: 0,
            output: FrameOutput::default(),
            pace: None,
            control: Control::default(),
            setup,
        };
        world.rebuild_tools();
        world
    }

    /// The method.
    pub fn method(&self) -> Method {
        self.method
    }

    /// The model, for reading.
    pub fn model(&self) -> &dyn DeformableModel {
        self.model.as_ref()
    }

    /// The model, for setting parameters.
    pub fn model_mut(&mut self) -> &mut dyn DeformableModel {
        self.model.as_mut()
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

    /// What a servo loop needs of the last frame to feel the tool that follows the pointer; whatever else touches the body stays where it is. False, and nothing of use in `out`, where there is no
    /// such tool or the model has no local contact model.
    pub fn write_local_model(&mut self, out: &mut LocalModel) -> bool {
        let Some(tool) = self.setup.tools.iter().position(|t| t.follows_pointer) else {
            return false;
        };
        let Some(model) = self.model.as_any_mut() else {
            return false;
        };
        let Some(model) = model.downcast_mut::<QuasistaticModel>() else {
            return false;
        };
        let (constraints, owners) = (self.boundary.displacements(), self.tracker.owners());
        let owner_of = |vertex: u32| {
            let at = constraints
                .binary_search_by_key(&vertex, |c| c.vertex)
                .ok()?;
            (owners.get(at)? == &Owner::Tool(tool)).then_some(0)
        };
        model.write_local_model(&[self.tools[tool].end.position], owner_of, out);
        true
    }

    /// Control points of the model's binding, counted from the middle of the skin; none while the skin does not follow them.
    pub fn write_control_points(&self, out: &mut ControlPoints) {
        let mut ends = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];
        for x in &self.frame.positions {
            for k in 0..3 {
                ends[0][k] = ends[0][k].min(x[k]);
                ends[1][k] = ends[1][k].max(x[k]);
            }
        }
        let middle = [0, 1, 2].map(|k| 0.5 * (f64::from(ends[0][k]) + f64::from(ends[1][k])));
        let finite = middle.iter().all(|c| c.is_finite());
        out.begin(&if finite { middle.into() } else { Vec3::zeros() });
        if !self.model.write_control_points(out) {
            out.offsets.clear();
        }
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
    pub fn reset_to(&mut self, index: u64) {
        self.model.reset();
        self.tracker.reset();
        self.index = index;
        self.control = Control::default();
        self.output = FrameOutput::default();
        self.rebuild_tools();
        self.model.write_surface(&mut self.frame);
    }

    /// Advances by one frame.
    ///
    /// # Errors
    /// The model's [`StepError`]; the world then stays at its last good frame.
    pub fn step_frame(&mut self, interaction: &Interaction) -> Result<&FrameOutput, StepError> {
        let duration = self.setup.frame_duration();
        let end = (self.index + 1) as f64 * duration;
        self.move_tools(end, interaction);
        let started = Instant::now();
        let begun = self.pace.as_ref().map(FramePace::begin);
        let description = &self.setup.description;
        self.boundary.gravity = if interaction.gravity_on && description.gravity == Vec3::zeros() {
            Vec3::new(0.0, -9.81, 0.0)
        } else {
            description.gravity
        };
        let inertia = self.model.capabilities().inertia;
        let body = TouchedBody {
            skin: self.setup.skin(),
            frame: &self.frame,
            held: &self.setup.held,
            diagonal: self.setup.diagonal,
            margin: self.setup.diagonal * if inertia { 0.01 } else { 0.002 },
            has_inertia: inertia,
        };
        // where bodies find contacts themselves, the tracker has the grabs only
        let mut tools = self.tools.as_slice();
        if let Some(own) = self.model.own_contact() {
            own.set_tools(tools);
            tools = &[];
        }
        let (constraints, _) = self.tracker.update(&body, tools, &self.grabs, duration);
        // the tracker sorts and never names a vertex twice; a non-finite pose is a fault of the caller and stops the method
        self.boundary
            .set_displacements(constraints.iter().copied())
            .map_err(|e| StepError::Diverged {
                method: self.method.name(),
                time: end,
                cause: e.to_string(),
            })?;
        self.boundary.set_loads(self.control.take_loads());
        // without a clock the budget is the model's own
        let budget = match &self.pace {
            Some(pace) => WorkBudget(pace.units()),
            None => WorkBudget::UNLIMITED,
        };
        let (model, boundary, frame) = (&mut self.model, &self.boundary, &mut self.frame);
        let mut advance = || {
            let report = model.advance(FrameRequest {
                duration,
                boundary,
                budget,
                force_tap: None,
            })?;
            model.write_surface(frame);
            Ok(report)
        };
        // one of the pool's threads does what does not run in parallel: with one more, which waits for the others, two cores have three to serve, and a
        // frame of many short sections stalls whenever the third has to be woken
        let report = match &self.pace {
            Some(pace) if !pace.is_shared() => advance()?,
            _ => rayon::scope(|_| advance())?,
        };
        self.tracker.settle(self.model.reactions());
        self.index += 1;
        let work = report.work_used;
        self.collect(report);
        if let (Some(pace), Some(begun)) = (&mut self.pace, begun) {
            let busy = pace.since(&begun).as_secs_f64();
            pace.measured(work, busy);
            self.output.busy_ms = busy * 1e3;
        }
        self.output.cost_ms = started.elapsed().as_secs_f64() * 1e3;
        Ok(&self.output)
    }

    fn collect(&mut self, report: FrameReport) {
        let out = &mut self.output;
        out.time = self.index as f64 * self.setup.frame_duration();
        out.report = report;
        out.wrenches.clear();
        out.wrenches.resize(self.tools.len(), ToolWrench::default());
        out.grab_forces.clear();
        out.grab_forces.resize(self.grabs.len(), Vec3::zeros());
        let constraints = self.boundary.displacements();
        for ((constraint, owner), reaction) in constraints
            .iter()
            .zip(self.tracker.owners())
            .zip(self.model.reactions())
        {
            match *owner {
                Owner::Tool(k) => {
                    let here = self.frame.position(constraint.vertex as usize);
                    let origin = self.tools[k].end.position;
                    out.wrenches[k].add_reaction(reaction, &here, &origin);
                }
                Owner::Grab(k) => out.grab_forces[k] += reaction,
            }
        }
        if let Some(own) = self.model.own_contact() {
            out.wrenches.clear();
            out.wrenches.extend_from_slice(own.wrenches());
        }
        out.support_forces.clear();
        out.support_forces
            .extend_from_slice(self.model.support_reactions());
        out.probes.clear();
        let (skin, frame) = (self.setup.skin(), &self.frame);
        out.probes
            .extend(self.setup.probes.iter().map(|p| p.sample(skin, frame)));
        out.points.clear();
        self.model
            .visit_points(&mut |point| out.points.push(point.state));
    }

    fn rebuild_tools(&mut self) {
        let time = self.time();
        self.tools.clear();
        self.tools.extend(self.setup.tools.iter().map(|t| {
            let pose = t.path.pose(time);
            Tool {
                name: t.name.clone(),
                shape: t.shape,
                friction: t.friction,
                begin: pose,
                end: pose,
            }
        }));
        self.grabs.clear();
        self.grabs.extend(self.setup.grabs.iter().map(|g| {
            let displacement = g.path.pose(time).position;
            Grab {
                name: g.name.clone(),
                vertices: g.vertices.clone(),
                begin: displacement,
                end: displacement,
                offsets: Vec::new(),
            }
        }));
    }

    fn move_tools(&mut self, end: f64, interaction: &Interaction) {
        for (k, (tool, script)) in self.tools.iter_mut().zip(&self.setup.tools).enumerate() {
            tool.begin = tool.end;
            tool.end = match interaction.tool_position {
                _ if self.control.pose(k).is_some() => self.control.pose(k).unwrap_or(tool.end),
                Some(position) if script.follows_pointer => Pose {
                    position,
                    orientation: tool.end.orientation,
                },
                _ => script.path.pose(end),
            };
        }
        for (grab, script) in self.grabs.iter_mut().zip(&self.setup.grabs) {
            grab.begin = grab.end;
            grab.end = script.path.pose(end).position;
        }
        let scripted = self.setup.grabs.len();
        match &interaction.grab {
            None => self.grabs.truncate(scripted),
            Some(pointer) => {
                if self.grabs.len() > scripted && self.grabs[scripted].vertices == pointer.vertices
                {
                    let grab = &mut self.grabs[scripted];
                    grab.begin = grab.end;
                    grab.end = pointer.displacement;
                } else {
                    self.grabs.truncate(scripted);
                    let (skin, frame) = (self.setup.skin(), &self.frame);
                    let own = |v: &u32| {
                        frame.position(*v as usize)
                            - skin.positions[*v as usize]
                            - pointer.displacement
                    };
                    self.grabs.push(Grab {
                        name: "pointer".to_string(),
                        offsets: pointer.vertices.iter().map(own).collect(),
                        vertices: pointer.vertices.clone(),
                        begin: pointer.displacement,
                        end: pointer.displacement,
                    });
                }
            }
        }
    }
}
