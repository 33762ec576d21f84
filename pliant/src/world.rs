//! A world: one method on one scene, stepped by the program.

use std::sync::Arc;

use pliant_core::boundary::NodalLoad;
use pliant_core::contact::{Pose, ToolWrench};
use pliant_core::math::Vec3;
use pliant_core::model::FrameReport;
use pliant_simulation::setup::Setup;
use pliant_simulation::world::{Interaction, PointerGrab, WorldSnapshot};

use crate::error::{Error, Result};

mod reading;

/// Largest number of frames that one call of [`World::advance`] takes.
const MAX_FRAMES_PER_ADVANCE: usize = 4;

/// One method on one scene. Move tools, grab, push; [`World::step`]; read surface and forces. The same calls give the same bits.
///
/// ```
/// use pliant::{Body, Method, Scene, Tool};
///
/// let scene = Scene::new("pad")
///     .body(Body::cuboid([0.2, 0.1, 0.2], 0.04).hold_lowest(0.01))
///     .tool(Tool::sphere("finger", 0.08, [0.0, 0.14, 0.0]))
///     .gravity([0.0, 0.0, 0.0]);
/// let mut world = scene.build(Method::Quasistatic)?;
/// world.move_tool("finger", [0.0, 0.115, 0.0])?;
/// world.step()?;
/// // pressed 15 mm into the pad, which pushes back
/// assert!(world.tool_force("finger")?.y > 0.1);
/// assert!(world.move_tool("thumb", [0.0; 3]).is_err());
/// # Ok::<(), pliant::Error>(())
/// ```
pub struct World {
    inner: pliant_simulation::world::World,
    setup: Arc<Setup>,
    notes: Vec<String>,
    input: Input,
}

/// What the program has asked for and frames have not done yet.
#[derive(Debug, Clone, Default)]
struct Input {
    interaction: Interaction,
    /// whether the grab starts with the next frame
    starts_grab: bool,
    /// time that [`World::advance`] has not yet turned into frames, s
    unspent_time: f64,
}

impl World {
    pub(crate) fn new(
        inner: pliant_simulation::world::World,
        setup: &Arc<Setup>,
        notes: Vec<String>,
    ) -> Self {
        Self {
            inner,
            setup: Arc::clone(setup),
            notes,
            input: Input::default(),
        }
    }

    /// Advances by one frame.
    ///
    /// # Errors
    /// The model's [`StepError`](pliant_core::model::StepError). The body stays as it was after the last good frame.
    pub fn step(&mut self) -> Result<&FrameReport> {
        // displacements start at the position of the skin when the grab starts
        let targets = match &mut self.input.interaction.grab {
            Some(grab) if self.input.starts_grab => (
                std::mem::take(&mut grab.displacement),
                std::mem::take(&mut grab.own_displacements),
            ),
            _ => (Vec3::zeros(), Vec::new()),
        };
        let stepped = self.inner.step_frame(&self.input.interaction);
        if let Some(grab) = &mut self.input.interaction.grab
            && std::mem::take(&mut self.input.starts_grab)
        {
            (grab.displacement, grab.own_displacements) = targets;
        }
        Ok(&stepped?.report)
    }

    /// Advances by as many frames as fit into `seconds` of a game's clock, keeps the remaining time for the next call, and returns the number of frames. It takes at most
    /// four frames and drops the time beyond them, so that a slow game slows down instead of standing still.
    ///
    /// # Errors
    /// As [`World::step`]; a time that is not finite.
    pub fn advance(&mut self, seconds: f64) -> Result<usize> {
        check_finite(&[seconds], || "the time to advance".into())?;
        self.input.unspent_time += seconds.max(0.0);
        let frame = self.frame_duration();
        // 1/60 s is not exact in binary: the small term lets sixty frames fit into a second
        let due_frames = (self.input.unspent_time / frame + 1e-9).floor();
        let frames = due_frames.min(MAX_FRAMES_PER_ADVANCE as f64);
        self.input.unspent_time -= frame * frames;
        if due_frames > frames {
            self.input.unspent_time = 0.0;
        }
        for _ in 0..frames as usize {
            self.step()?;
        }
        Ok(frames as usize)
    }

    /// Back to rest at time zero.
    pub fn reset(&mut self) {
        self.inner.reset();
        self.input = Input::default();
    }

    /// Physical time, s.
    pub fn time(&self) -> f64 {
        self.inner.time()
    }

    /// Length of a frame, s.
    pub fn frame_duration(&self) -> f64 {
        self.setup.frame_duration()
    }

    /// Moves a tool to a position (world, m) during the next frame, in a straight line. It stays there until it is moved again. In a frame in which it moves by more than a fifth of the body's
    /// diagonal it touches nothing.
    ///
    /// # Errors
    /// No tool of that name, or a number that is not finite.
    pub fn move_tool(&mut self, name: &str, to: impl Into<Vec3>) -> Result<()> {
        let k = self.tool(name)?;
        let orientation = self.inner.tools()[k].end.orientation;
        let position = to.into();
        let pose = Pose {
            position,
            orientation,
        };
        self.pose_tool(name, pose)
    }

    /// The same with an orientation.
    ///
    /// # Errors
    /// As [`World::move_tool`].
    pub fn pose_tool(&mut self, name: &str, pose: Pose) -> Result<()> {
        let k = self.tool(name)?;
        let what = || format!("the pose of tool `{name}`");
        check_finite(pose.position.as_slice(), what)?;
        check_finite(pose.orientation.coords.as_slice(), what)?;
        self.inner.pose_tool(k, Some(pose));
        Ok(())
    }

    /// Gives a tool back to its path, or to the tool that carries it.
    ///
    /// # Errors
    /// No tool of that name.
    pub fn release_tool(&mut self, name: &str) -> Result<()> {
        let k = self.tool(name)?;
        self.inner.pose_tool(k, None);
        Ok(())
    }

    /// Where a tool was at the end of the last frame.
    ///
    /// # Errors
    /// No tool of that name.
    pub fn tool_pose(&self, name: &str) -> Result<Pose> {
        Ok(self.inner.tools()[self.tool(name)?].end)
    }

    /// Force **on the tool**, N: what a hand that holds it feels. Zero before the first frame.
    ///
    /// # Errors
    /// No tool of that name.
    pub fn tool_force(&self, name: &str) -> Result<Vec3> {
        Ok(self.tool_wrench(name)?.force)
    }

    /// Force and torque (N·m, about the tool's origin) on the tool.
    ///
    /// # Errors
    /// No tool of that name.
    pub fn tool_wrench(&self, name: &str) -> Result<ToolWrench> {
        let k = self.tool(name)?;
        let wrenches = &self.inner.output().wrenches;
        Ok(wrenches.get(k).copied().unwrap_or_default())
    }

    /// Force and torque (N·m, about its origin) on a tool together with those that it carries.
    ///
    /// # Errors
    /// No tool of that name.
    pub fn wrench_with_carried(&self, name: &str) -> Result<ToolWrench> {
        Ok(self.inner.wrench_with_carried(self.tool(name)?))
    }

    /// Force of a support **on the body**, N; of a kind with several bodies on all of them together. Where several kinds have a support of that name, that of the first.
    ///
    /// # Errors
    /// No support of that name.
    pub fn support_force(&self, name: &str) -> Result<Vec3> {
        let names: Vec<&str> = self.setup.supports().map(|s| s.name.as_str()).collect();
        let k = find("support", name, names.iter().copied())?;
        let forces = self.inner.model().support_reactions();
        Ok(forces.get(k).copied().unwrap_or_default())
    }

    /// Grabs skin vertices at their current positions and moves them by `displacement` (m) from there. The first frame only holds them where they are.
    /// Call it again with the same vertices to move them on. There is one such grab at a time, in addition to those of the scene.
    ///
    /// # Errors
    /// A vertex that is not there, or a number that is not finite.
    pub fn grab(&mut self, vertices: &[u32], displacement: impl Into<Vec3>) -> Result<()> {
        vertices.iter().try_for_each(|&v| self.check_vertex(v))?;
        let displacement: Vec3 = displacement.into();
        check_finite(displacement.as_slice(), || {
            "the displacement of the grab".into()
        })?;
        let mut vertices = vertices.to_vec();
        vertices.sort_unstable();
        vertices.dedup();
        self.set_grab(PointerGrab {
            vertices,
            displacement,
            own_displacements: Vec::new(),
        });
        Ok(())
    }

    /// Grabs skin vertices as [`World::grab`] does, and moves each by its own displacement, for example by a measured field. `displacements` (world, m) are in the order of
    /// `vertices` and start at the position of each vertex when it was grabbed. Equal displacements give the same bits as [`World::grab`]. Both may be called
    /// in turn with the same vertices.
    ///
    /// Vertices that are closer together than the nodes of a method depend on each other, and cannot follow every field. [`FrameReport::max_violation`] is the largest
    /// distance of a vertex from its target.
    ///
    /// ```
    /// use pliant::{Body, Method, Scene, Vec3};
    ///
    /// let pad = Body::cuboid([0.2, 0.1, 0.2], 0.04).hold_lowest(0.01);
    /// let mut world = Scene::new("pad").body(pad).gravity([0.0; 3]).build(Method::Quasistatic)?;
    /// let ends = [[-0.06, 0.05, -0.06], [0.06, 0.05, 0.06]].map(|place| world.nearest_vertex(place));
    /// // each goes outwards by 1 mm
    /// let apart = [Vec3::new(-1e-3, 0.0, 0.0), Vec3::new(1e-3, 0.0, 0.0)];
    /// world.grab_each(&ends, &apart)?;
    /// world.step()?; // starts the grab
    /// world.step()?; // moves them
    /// for (vertex, target) in ends.into_iter().zip(apart) {
    ///     assert!((world.displacement(vertex)? - target).norm() < 1e-5);
    /// }
    /// # Ok::<(), pliant::Error>(())
    /// ```
    ///
    /// # Errors
    /// Another number of displacements than of vertices, a vertex that is not there, a number that is not finite, or a vertex that is named with two different
    /// displacements. The previous grab then stays as it was.
    pub fn grab_each(&mut self, vertices: &[u32], displacements: &[Vec3]) -> Result<()> {
        if vertices.len() != displacements.len() {
            return Err(Error::DisplacementCount {
                vertices: vertices.len(),
                displacements: displacements.len(),
            });
        }
        vertices.iter().try_for_each(|&v| self.check_vertex(v))?;
        let pairs = vertices.iter().copied().zip(displacements.iter().copied());
        let mut pairs: Vec<(u32, Vec3)> = pairs.collect();
        for (vertex, displacement) in &pairs {
            check_finite(displacement.as_slice(), || {
                format!("the displacement of vertex {vertex}")
            })?;
        }
        pairs.sort_by_key(|(vertex, _)| *vertex);
        pairs.dedup();
        if let Some(twice) = pairs.windows(2).find(|two| two[0].0 == two[1].0) {
            return Err(Error::VertexTwice { vertex: twice[0].0 });
        }
        let (vertices, own_displacements) = pairs.into_iter().unzip();
        self.set_grab(PointerGrab {
            vertices,
            displacement: Vec3::zeros(),
            own_displacements,
        });
        Ok(())
    }

    /// Ends the grab.
    pub fn release(&mut self) {
        self.input.interaction.grab = None;
        self.input.starts_grab = false;
    }

    /// Force of the grab of [`World::grab`] or [`World::grab_each`] **on the body**, N.
    pub fn grab_force(&self) -> Vec3 {
        let scripted = self.setup.grabs.len();
        let forces = &self.inner.output().grab_forces;
        forces.get(scripted).copied().unwrap_or_default()
    }

    /// Pushes a skin vertex with a force, N, during the next frame; call it in every frame in which it pushes.
    ///
    /// # Errors
    /// A vertex that is not there, or a number that is not finite.
    pub fn push(&mut self, vertex: u32, force: impl Into<Vec3>) -> Result<()> {
        self.check_vertex(vertex)?;
        let force: Vec3 = force.into();
        check_finite(force.as_slice(), || format!("the force on vertex {vertex}"))?;
        self.inner.add_load(NodalLoad { vertex, force });
        Ok(())
    }

    /// Everything that changes from frame to frame, for undo and for rollback.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            world: self.inner.snapshot(),
            input: self.input.clone(),
        }
    }

    /// Back to a snapshot; the same calls then give the same bits.
    ///
    /// # Errors
    /// A snapshot of another kind or size of model, or with another number of tools; nothing has changed then.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<()> {
        self.inner.restore(&snapshot.world)?;
        self.input.clone_from(&snapshot.input);
        Ok(())
    }

    /// The grab from the next frame on.
    fn set_grab(&mut self, grab: PointerGrab) {
        let current = self.input.interaction.grab.as_ref();
        self.input.starts_grab |= current.is_none_or(|current| current.vertices != grab.vertices);
        self.input.interaction.grab = Some(grab);
    }

    fn tool(&self, name: &str) -> Result<usize> {
        let names = self.setup.tools.iter().map(|t| t.name.as_str());
        find("tool", name, names)
    }

    fn check_vertex(&self, vertex: u32) -> Result<()> {
        let count = self.skin().vertex_count();
        match (vertex as usize) < count {
            true => Ok(()),
            false => Err(Error::NoSuchVertex {
                vertex,
                last: count.saturating_sub(1),
            }),
        }
    }
}

/// The state of a world between two frames: that of its model, its tools and its grab. It costs a copy of the model's state, not of its asset.
#[derive(Debug, Clone)]
pub struct Snapshot {
    world: WorldSnapshot,
    input: Input,
}

/// The index of a name.
fn find<'a>(
    kind: &'static str,
    name: &str,
    names: impl Iterator<Item = &'a str> + Clone,
) -> Result<usize> {
    let index = names.clone().position(|candidate| candidate == name);
    index.ok_or_else(|| Error::NoSuchName {
        kind,
        name: name.to_string(),
        names: names.map(|n| format!("`{n}`")).collect(),
    })
}

/// An error where a number is NaN or infinite.
fn check_finite(numbers: &[f64], what: impl Fn() -> String) -> Result<()> {
    match numbers.iter().all(|x| x.is_finite()) {
        true => Ok(()),
        false => Err(Error::NotFinite { what: what() }),
    }
}
