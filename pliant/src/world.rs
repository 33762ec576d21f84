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

/// Most frames that [`World::advance`] takes at once.
const MOST_FRAMES: usize = 4;

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
    interaction: Interaction,
    notes: Vec<String>,
    /// whether the grab begins with the next frame
    takes_hold: bool,
    /// time that [`World::advance`] owes, s
    owed: f64,
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
            interaction: Interaction::default(),
            notes,
            takes_hold: false,
            owed: 0.0,
        }
    }

    /// Advances by one frame.
    ///
    /// # Errors
    /// The model's [`StepError`](pliant_core::model::StepError); the world keeps its last good frame.
    pub fn step(&mut self) -> Result<&FrameReport> {
        // displacements count from where the skin lies when it is taken hold of
        let targets = match &mut self.interaction.grab {
            Some(grab) if self.takes_hold => (
                std::mem::take(&mut grab.displacement),
                std::mem::take(&mut grab.own_displacements),
            ),
            _ => (Vec3::zeros(), Vec::new()),
        };
        let stepped = self.inner.step_frame(&self.interaction);
        if let Some(grab) = &mut self.interaction.grab
            && std::mem::take(&mut self.takes_hold)
        {
            (grab.displacement, grab.own_displacements) = targets;
        }
        Ok(&stepped?.report)
    }

    /// Advances by as many frames as fit into `seconds` of a game's clock, and keeps the rest for the next call; gives their number. It never takes more than four at
    /// once and lets go of what is left then, so that a slow game slows down instead of standing still.
    ///
    /// # Errors
    /// As [`World::step`]; a time that is not finite.
    pub fn advance(&mut self, seconds: f64) -> Result<usize> {
        finite(&[seconds], || "the time to advance".into())?;
        self.owed += seconds.max(0.0);
        let frame = self.frame_duration();
        // 1/60 s is no number of binary digits: sixty frames of it fit into a second
        let wanted = (self.owed / frame + 1e-9).floor();
        let frames = wanted.min(MOST_FRAMES as f64);
        self.owed -= frame * frames;
        if wanted > frames {
            self.owed = 0.0;
        }
        for _ in 0..frames as usize {
            self.step()?;
        }
        Ok(frames as usize)
    }

    /// Back to rest at time zero.
    pub fn reset(&mut self) {
        self.inner.reset();
        self.interaction = Interaction::default();
        self.takes_hold = false;
        self.owed = 0.0;
    }

    /// Physical time, s.
    pub fn time(&self) -> f64 {
        self.inner.time()
    }

    /// Length of a frame, s.
    pub fn frame_duration(&self) -> f64 {
        self.setup.frame_duration()
    }

    /// Moves a tool to a place, world, m, during the next frame; it stays there until it is moved again. A jump of more than a fifth of the body touches nothing.
    ///
    /// # Errors
    /// No tool of that name, or a number that is not finite.
    pub fn move_tool(&mut self, name: &str, to: impl Into<Vec3>) -> Result<()> {
        let k = self.tool(name)?;
        let orientation = self.inner.tools()[k].end.orientation;
        let position = to.into();
        self.pose_tool(
            name,
            Pose {
                position,
                orientation,
            },
        )
    }

    /// The same with an orientation.
    ///
    /// # Errors
    /// As [`World::move_tool`].
    pub fn pose_tool(&mut self, name: &str, pose: Pose) -> Result<()> {
        let k = self.tool(name)?;
        let what = || format!("the pose of tool `{name}`");
        finite(pose.position.as_slice(), what)?;
        finite(pose.orientation.coords.as_slice(), what)?;
        self.inner.pose_tool(k, Some(pose));
        Ok(())
    }

    /// Gives a tool back to its path.
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

    /// Force of a support **on the body**, N.
    ///
    /// # Errors
    /// No support of that name.
    pub fn support_force(&self, name: &str) -> Result<Vec3> {
        let supports = &self.setup.geometry.supports;
        let names = || supports.iter().map(|s| s.name.clone());
        let k = find("support", name, names())?;
        let forces = self.inner.model().support_reactions();
        Ok(forces.get(k).copied().unwrap_or_default())
    }

    /// Takes hold of skin vertices, as they lie now, and moves them by `displacement` (m) from there. The frame in which they are taken hold of keeps them where they are.
    /// Call it again with the same vertices to move on. One grab at a time; those of the scene go on beside it.
    ///
    /// # Errors
    /// A vertex that is not there, or a number that is not finite.
    pub fn grab(&mut self, vertices: &[u32], displacement: impl Into<Vec3>) -> Result<()> {
        vertices.iter().try_for_each(|&v| self.check_vertex(v))?;
        let displacement: Vec3 = displacement.into();
        finite(displacement.as_slice(), || {
            "the displacement of the grab".into()
        })?;
        let mut vertices = vertices.to_vec();
        vertices.sort_unstable();
        vertices.dedup();
        self.hold(PointerGrab {
            vertices,
            displacement,
            own_displacements: Vec::new(),
        });
        Ok(())
    }

    /// Takes hold of skin vertices as [`World::grab`] does, and moves each by a displacement of its own: a measured field, say. `displacements` are in the order of
    /// `vertices`, world, m, and count from where each vertex lay when it was taken hold of. Equal displacements give the same bits as [`World::grab`]. Both may be called
    /// in turn with the same vertices.
    ///
    /// Vertices that lie closer together than the nodes of a method follow from each other, and cannot meet every field. [`FrameReport::max_violation`] says how far the
    /// farthest of them is from its place.
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
    /// world.step()?; // takes hold of them
    /// world.step()?; // moves them
    /// for (vertex, wanted) in ends.into_iter().zip(apart) {
    ///     assert!((world.displacement(vertex)? - wanted).norm() < 1e-5);
    /// }
    /// # Ok::<(), pliant::Error>(())
    /// ```
    ///
    /// # Errors
    /// Another number of displacements than of vertices, a vertex that is not there, a number that is not finite, or a vertex that is named with two different
    /// displacements. What was held is held as before then.
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
            finite(displacement.as_slice(), || {
                format!("the displacement of vertex {vertex}")
            })?;
        }
        pairs.sort_by_key(|(vertex, _)| *vertex);
        pairs.dedup();
        if let Some(twice) = pairs.windows(2).find(|two| two[0].0 == two[1].0) {
            return Err(Error::VertexTwice { vertex: twice[0].0 });
        }
        let (vertices, own_displacements) = pairs.into_iter().unzip();
        self.hold(PointerGrab {
            vertices,
            displacement: Vec3::zeros(),
            own_displacements,
        });
        Ok(())
    }

    /// Lets go.
    pub fn release(&mut self) {
        self.interaction.grab = None;
        self.takes_hold = false;
    }

    /// Force of the hand of [`World::grab`] or [`World::grab_each`] **on the body**, N.
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
        finite(force.as_slice(), || format!("the force on vertex {vertex}"))?;
        self.inner.add_load(NodalLoad { vertex, force });
        Ok(())
    }

    /// Everything that changes from frame to frame, for undo and for rollback.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            world: self.inner.snapshot(),
            interaction: self.interaction.clone(),
            takes_hold: self.takes_hold,
            owed: self.owed,
        }
    }

    /// Back to a snapshot; the same calls then give the same bits.
    ///
    /// # Errors
    /// A snapshot of another kind or size of model; nothing has changed then.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<()> {
        self.inner.restore(&snapshot.world)?;
        self.interaction.clone_from(&snapshot.interaction);
        self.takes_hold = snapshot.takes_hold;
        self.owed = snapshot.owed;
        Ok(())
    }

    /// The hand holds this from the next frame on.
    fn hold(&mut self, grab: PointerGrab) {
        let held = self.interaction.grab.as_ref();
        self.takes_hold |= held.is_none_or(|held| held.vertices != grab.vertices);
        self.interaction.grab = Some(grab);
    }

    fn tool(&self, name: &str) -> Result<usize> {
        find(
            "tool",
            name,
            self.setup.tools.iter().map(|t| t.name.clone()),
        )
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

/// A world at one instant.
#[derive(Debug, Clone)]
pub struct Snapshot {
    world: WorldSnapshot,
    interaction: Interaction,
    takes_hold: bool,
    owed: f64,
}

fn find(
    kind: &'static str,
    name: &str,
    names: impl Iterator<Item = String> + Clone,
) -> Result<usize> {
    let found = names.clone().position(|known| known == name);
    found.ok_or_else(|| Error::NoSuchName {
        kind,
        name: name.to_string(),
        names: names.map(|n| format!("`{n}`")).collect(),
    })
}

fn finite(numbers: &[f64], what: impl Fn() -> String) -> Result<()> {
    match numbers.iter().all(|x| x.is_finite()) {
        true => Ok(()),
        false => Err(Error::NotFinite { what: what() }),
    }
}
