//! What a recording holds.

use std::sync::Arc;

use pliant_core::contact::{Pose, ToolWrench};
use pliant_core::inspect::PointState;
use pliant_core::math::Vec3;
use pliant_core::scene::Method;

/// Everything that is known before the first frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Header {
    /// Version of the program.
    pub program: String,
    /// Vector instructions that its kernels took, for example `AVX2`.
    pub kernels: String,
    /// Whether it was told to take none.
    pub portable: bool,
    /// What was run.
    pub scene: RecordedScene,
    /// Length of a frame, s.
    pub frame_duration: f64,
    /// Frames that the run was to have.
    pub frames: u32,
    /// Surfaces are kept every so many frames; 0 for none.
    pub surface_every: u32,
    /// Vertices of the skin.
    pub vertices: u32,
    /// Triangles of the skin.
    pub triangles: u32,
    /// Names of the tools.
    pub tools: Vec<String>,
    /// Names of the grabs.
    pub grabs: Vec<String>,
    /// Names of the probes.
    pub probes: Vec<String>,
    /// The methods that could run the scene, in the order of [`Method::ALL`].
    pub methods: Vec<RecordedMethod>,
}

/// A scene with all that is needed to run it again.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RecordedScene {
    /// Its name.
    pub name: String,
    /// The scene file, the mesh file, or the bundled scene's name.
    pub origin: String,
    /// Folder that relative paths count from.
    pub folder: String,
    /// Its text.
    pub text: String,
    /// How the mesh at `origin` was read, where the text is only wrapped around it.
    pub wrapped: Option<RecordedImport>,
    /// Seed in place of that of the text.
    pub seed: Option<u64>,
    /// Budget of a frame of the adaptive method, ms, in place of that of the text.
    pub budget_ms: Option<f64>,
    /// Files that the scene is made of.
    pub files: Vec<RecordedSource>,
}

/// How a mesh was read that a scene was wrapped around.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RecordedImport {
    /// `mm`, `cm`, `m` or `in`; `None` scaled the body.
    pub units: Option<String>,
    /// Whether z is up in the file.
    pub z_up: bool,
    /// Whether what is no solid was mended.
    pub repairs: bool,
    /// Thickness of walls around what is no solid, m.
    pub thickness: Option<f64>,
}

/// A file that a scene is made of.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RecordedSource {
    /// Where it was.
    pub path: String,
    /// Its length, bytes.
    pub bytes: u64,
    /// Hash of its content (xxh3, 128 bits).
    pub hash: u128,
}

/// A method of a recording.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedMethod {
    /// Which.
    pub method: Method,
    /// Names of its points inside, and where they are at rest, m.
    pub inside: Vec<(String, Vec3)>,
}

/// The skin at rest.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Skin {
    /// Positions, m.
    pub rest: Vec<[f32; 3]>,
    /// Vertex triples, counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// The skin of a method at the end of a frame.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Surface {
    /// Positions of the skin, m.
    pub positions: Vec<[f32; 3]>,
    /// What there is to be seen instead once it is cut or broken.
    pub cut: Option<Cut>,
}

/// A skin that is cut or broken: a closed surface with lips and caps.
#[derive(Debug, Clone, PartialEq)]
pub struct Cut {
    /// At rest. Its first vertices are those of the skin. Frames between which nothing is cut share it.
    pub skin: Arc<Skin>,
    /// Positions of its vertices, m.
    pub positions: Vec<[f32; 3]>,
}

impl From<Vec<[f32; 3]>> for Surface {
    /// A skin that is whole.
    fn from(positions: Vec<[f32; 3]>) -> Self {
        Self {
            positions,
            cut: None,
        }
    }
}

impl Surface {
    /// What there is to be seen, for a body with this skin: a surface at rest, and where its vertices are, m.
    pub fn shown<'a>(&'a self, skin: &'a Skin) -> (&'a Skin, &'a [[f32; 3]]) {
        match &self.cut {
            Some(cut) => (&cut.skin, &cut.positions),
            None => (skin, &self.positions),
        }
    }
}

/// What a frame produced, but for surfaces.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Frame {
    /// Time at its end, s.
    pub time: f64,
    /// Where each tool was at its end.
    pub tools: Vec<Pose>,
    /// What each method found.
    pub methods: Vec<MethodFrame>,
}

/// What one method found in a frame. After a method has stopped its last good frame is repeated.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MethodFrame {
    /// Whether it could be computed.
    pub computed: bool,
    /// [`surface_hash`](crate::surface_hash()) of the skin.
    pub surface_hash: u64,
    /// Force (N) and torque (N·m) on each tool.
    pub wrenches: Vec<ToolWrench>,
    /// Force of each grab on the body, N.
    pub grabs: Vec<Vec3>,
    /// Value of each probe, m.
    pub probes: Vec<Vec3>,
    /// What each point inside felt.
    pub inside: Vec<PointState>,
}

/// What is known after the last frame, one entry a method.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Summary {
    /// Hash over the surfaces of all frames: `surface_hash` of reports.
    pub surface_hash: Vec<u64>,
    /// Why the method stopped early; empty where it did not.
    pub stopped: Vec<String>,
}

impl Header {
    /// Whether surfaces of frame `frame` (from 0) are kept.
    pub fn keeps_surface(&self, frame: u32) -> bool {
        self.surface_every > 0 && (frame + 1).is_multiple_of(self.surface_every)
    }

    /// Place of `method` among the methods.
    pub fn method(&self, method: Method) -> Option<usize> {
        self.methods.iter().position(|m| m.method == method)
    }
}
