//! A scene made concrete: the skin is there, selections are vertices, scripts are paths.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use pliant_core::asset::{BodyGeometry, SupportRegion};
use pliant_core::boundary::{ConstrainedDirections, Friction};
use pliant_core::contact::{Adhesion, Pose, PosePath, Tool, ToolShape, TouchedBody};
use pliant_core::inspect::Probe;
use pliant_core::math::Vec3;
use pliant_core::mesh::{SurfaceFrame, SurfaceMesh, TetMesh};
use pliant_core::scene::{Method, SceneDescription};
use pliant_meshing::repair::RepairStep;

use super::hand::HandMotion;
use super::mesh_findings::MeshFindings;
use super::scene_notes::note::{NoteSubject, SceneNote};

/// Kept skins per second of simulated time.
const KEPT_SURFACES_PER_SECOND: f64 = 4.0;

/// Everything about a scene that all methods share. It does not change once it is made.
#[derive(Debug, Clone)]
pub struct Setup {
    /// The checked text.
    pub description: SceneDescription,
    /// Where it came from.
    pub origin: PathBuf,
    /// Skin, material and supports; levels and voxels are added for each method when it is built.
    pub geometry: BodyGeometry,
    /// The skin before triangles were halved for tools, m; none where none were halved. A mesh with levels of subdivision has them only here.
    pub unrefined_skin: Option<Arc<SurfaceMesh>>,
    /// Whether the body is an axis-aligned structured box: its size, m.
    pub box_size: Option<Vec3>,
    /// Tetrahedra of an imported file, placed like the skin, m. Their boundary is the skin before repair and refinement.
    pub tets: Option<Arc<TetMesh>>,
    /// Numbers that the file has for its vertices and the scene asks for, one for each vertex of the body's skin.
    pub attributes: Vec<(String, Arc<[f64]>)>,
    /// Where the bodies of this kind begin. Empty where the scene has one body that does not touch itself: that body stays where it is.
    pub places: Vec<Pose>,
    /// Further kinds of bodies, each as if it were alone: without tools but for blades, grabs and probes.
    pub others: Vec<Setup>,
    /// The skins of all bodies at rest in their places; the body's own skin where it is alone.
    pub scene_skin: Arc<SurfaceMesh>,
    /// Tools in the order of the scene.
    pub tools: Vec<SetupTool>,
    /// Grabs in the order of the scene, then those of its hand.
    pub grabs: Vec<SetupGrab>,
    /// The motion of a hand that is a part of the scene. Its tool and its grabs are among the others; its blades and its gravity are here alone.
    pub hand: Option<Arc<HandMotion>>,
    /// Probes in the order of the scene.
    pub probes: Vec<Probe>,
    /// For each skin vertex whether a support holds it.
    pub held: Vec<bool>,
    /// Nodal areas of the skin, m².
    pub areas: Vec<f64>,
    /// Diagonal of the skin's bounding box, m.
    pub diagonal: f64,
    /// What was repaired or assumed.
    pub notes: Vec<SceneNote>,
    /// What was repaired in the meshes of all kinds of bodies. `notes` tell the same in sentences.
    pub repairs: Vec<RepairStep>,
    /// What was found in the mesh files of all kinds of bodies, with places on the first body of each. Bodies whose files needed nothing, and generated ones, are not among them.
    pub findings: Arc<[MeshFindings]>,
}

/// A tool and its path.
#[derive(Debug, Clone, PartialEq)]
pub struct SetupTool {
    /// Name.
    pub name: String,
    /// Shape.
    pub shape: ToolShape,
    /// Friction.
    pub friction: Friction,
    /// Whether the body sticks to it.
    pub adhesion: Option<Adhesion>,
    /// Motion without a pointer.
    pub path: PosePath,
    /// Whether a pointer may take it over, alone or with the tool that carries it.
    pub follows_pointer: bool,
    /// What carries it; `None` for a tool that moves by itself.
    pub carrier: Option<Carrier>,
}

/// The tool that carries another one.
#[derive(Debug, Clone, PartialEq)]
pub struct Carrier {
    /// Its index among the tools of the scene. No other tool carries it.
    pub tool: usize,
    /// Poses of what it carries in its axes, from its origin; one that does not change where that is fixed to it.
    pub place: PosePath,
}

/// A grab and its path.
#[derive(Debug, Clone, PartialEq)]
pub struct SetupGrab {
    /// Name.
    pub name: String,
    /// Skin vertices, ascending.
    pub vertices: Vec<u32>,
    /// Displacement from rest over time.
    pub path: PosePath,
    /// In which directions it holds.
    pub directions: ConstrainedDirections,
    /// Frames in which it holds, where it is the hand's; `None` for all. It keeps the shape that the held skin had when it began.
    pub frames: Option<Range<u64>>,
}

impl SetupTool {
    /// Whether a pointer may move it directly, not through a tool that carries it.
    pub fn is_moved_by_pointer(&self) -> bool {
        self.follows_pointer && self.carrier.is_none()
    }

    /// The tool where its path has it at the time `time` (s), at rest.
    pub fn at(&self, time: f64) -> Tool {
        let pose = self.path.pose(time);
        Tool {
            name: self.name.clone(),
            shape: self.shape.clone(),
            friction: self.friction,
            adhesion: self.adhesion,
            begin: pose,
            end: pose,
        }
    }
}

/// Makes carried tools follow the paths of those that carry them.
pub(super) fn follow_carriers(tools: &mut [SetupTool]) {
    for k in 0..tools.len() {
        if let Some(Carrier { tool, place }) = &tools[k].carrier {
            let carrier = &tools[*tool];
            let (path, follows_pointer) =
                (carrier.path.carrying_along(place), carrier.follows_pointer);
            (tools[k].path, tools[k].follows_pointer) = (path, follows_pointer);
        }
    }
}

impl Setup {
    /// All that is seen and touched: the skin, or the skins of all bodies one after the other.
    pub fn skin(&self) -> &Arc<SurfaceMesh> {
        &self.scene_skin
    }

    /// The vertex attribute of that name.
    pub(crate) fn attribute(&self, name: &str) -> Option<&Arc<[f64]>> {
        let mut all = self.attributes.iter();
        all.find(|(own, _)| own == name).map(|(_, values)| values)
    }

    /// Whether bodies find their contacts themselves: there are several, or one that touches itself.
    pub fn is_group(&self) -> bool {
        !self.places.is_empty()
    }

    /// The bodies deformed to `frame`, as contact with tools finds them.
    pub(crate) fn touched_body<'a>(
        &'a self,
        frame: &'a SurfaceFrame,
        has_inertia: bool,
    ) -> TouchedBody<'a> {
        TouchedBody {
            skin: self.skin(),
            frame,
            held: &self.held,
            diagonal: self.diagonal,
            margin: TouchedBody::usual_margin(self.diagonal, has_inertia),
            has_inertia,
        }
    }

    /// Names of the tools, then of the grabs: the order of the forces of a frame.
    pub fn force_names(&self) -> impl Iterator<Item = &str> {
        let tools = self.tools.iter().map(|tool| tool.name.as_str());
        tools.chain(self.grabs.iter().map(|grab| grab.name.as_str()))
    }

    /// The tools that tool `k` carries, ascending.
    pub fn carried_by(&self, k: usize) -> impl Iterator<Item = usize> {
        let tools = self.tools.iter().enumerate();
        let carrier = |tool: &SetupTool| tool.carrier.as_ref().map(|carrier| carrier.tool);
        let carried = tools.filter(move |(_, tool)| carrier(tool) == Some(k));
        carried.map(|(carried, _)| carried)
    }

    /// The tools that carry others, ascending.
    pub fn carriers(&self) -> impl Iterator<Item = usize> {
        (0..self.tools.len()).filter(move |k| self.carried_by(*k).next().is_some())
    }

    /// Distance (m) from the origin of tool `k` to what touches first when it moves in a `direction` (unit, in its axes): itself, or a tool that it carries, where that is at the beginning.
    pub fn reach(&self, k: usize, direction: &Vec3) -> f64 {
        let carried = self.tools.iter().filter_map(|tool| {
            let carrier = tool.carrier.as_ref().filter(|carrier| carrier.tool == k);
            let offset = carrier?.place.pose(0.0);
            let local = offset.orientation.inverse() * direction;
            Some(offset.position.dot(direction) + tool.shape.reach(&local))
        });
        let finite = carried.filter(|reach| reach.is_finite());
        finite.fold(self.tools[k].shape.reach(direction), f64::max)
    }

    /// What its notes say.
    pub fn note_texts(&self) -> impl Iterator<Item = &str> {
        self.notes.iter().map(|note| note.text.as_str())
    }

    /// The same without the notes on other methods than `method`.
    pub fn note_texts_of(&self, method: Method) -> impl Iterator<Item = &str> {
        let concerns = move |note: &&SceneNote| match note.subject {
            NoteSubject::Method(about) => about == method,
            _ => true,
        };
        let notes = self.notes.iter().filter(concerns);
        notes.map(|note| note.text.as_str())
    }

    /// Whether a support holds a vertex of the skin.
    pub(super) fn is_held(&self, vertex: u32) -> bool {
        self.held.get(vertex as usize).is_some_and(|held| *held)
    }

    /// Whether supports hold all of these vertices.
    pub(super) fn all_held(&self, vertices: &[u32]) -> bool {
        vertices.iter().all(|v| self.is_held(*v))
    }

    /// Whether any of its tools is a blade.
    pub fn has_blades(&self) -> bool {
        self.description.blades().next().is_some()
    }

    /// Each kind of bodies, this one first.
    pub fn kinds(&self) -> impl Iterator<Item = &Self> {
        [self].into_iter().chain(&self.others)
    }

    /// The supports of all kinds, in the order of the forces of supports.
    pub fn supports(&self) -> impl Iterator<Item = &SupportRegion> {
        self.kinds().flat_map(|kind| &kind.geometry.supports)
    }

    /// Number of bodies of all kinds.
    pub fn body_count(&self) -> usize {
        self.kinds().map(|kind| kind.places.len().max(1)).sum()
    }

    /// Length of a frame, s.
    pub fn frame_duration(&self) -> f64 {
        1.0 / self.description.frame_rate
    }

    /// Whether the skin of frame `frame` (from 0) of a run of so many `frames` is kept for reports and references: four times a second, and at the end of a shorter run.
    pub fn keeps_surface(&self, frame: usize, frames: usize) -> bool {
        let every = (self.description.frame_rate / KEPT_SURFACES_PER_SECOND).round() as usize;
        (frame + 1).is_multiple_of(every.min(frames).max(1))
    }

    /// Frames of a run of `duration` seconds.
    pub fn frames(&self, duration: f64) -> usize {
        ((duration * self.description.frame_rate).round() as usize).max(1)
    }
}
