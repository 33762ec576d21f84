//! The contents of a recording.

use std::sync::Arc;

use pliant_core::contact::{Pose, ToolWrench};
use pliant_core::inspect::PointState;
use pliant_core::math::Vec3;
use pliant_core::scene::Method;

/// The data that are known before the first frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Header {
    /// Version of the program.
    pub program: String,
    /// Vector instructions of its kernels, for example `AVX2`.
    pub kernels: String,
    /// Whether it ran without vector instructions on request.
    pub portable: bool,
    /// The scene that was run.
    pub scene: RecordedScene,
    /// Length of a frame, s.
    pub frame_duration: f64,
    /// Planned number of frames of the run.
    pub frames: u32,
    /// Number of frames from one kept surface to the next; 0 for none.
    pub surface_every: u32,
    /// Number of vertices of the skin.
    pub vertices: u32,
    /// Number of triangles of the skin.
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

/// A scene with all data that are needed to run it again.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RecordedScene {
    /// Its name.
    pub name: String,
    /// The scene file, the mesh file, or the bundled scene's name.
    pub origin: String,
    /// Folder of relative paths.
    pub folder: String,
    /// Its text.
    pub text: String,
    /// Import options of the mesh at `origin`, where the scene was generated for a mesh file.
    pub wrapped: Option<RecordedImport>,
    /// Seed that replaces that of the text.
    pub seed: Option<u64>,
    /// Budget of a frame of the adaptive method, ms, that replaces that of the text.
    pub budget_ms: Option<f64>,
    /// Files that the scene uses.
    pub files: Vec<RecordedSource>,
}

/// Import options of a mesh for which a scene was generated.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RecordedImport {
    /// `mm`, `cm`, `m` or `in`; `None` where the body was scaled.
    pub units: Option<String>,
    /// Whether z is up in the file.
    pub z_up: bool,
    /// Whether a surface that does not bound a solid was repaired.
    pub repairs: bool,
    /// Thickness of walls that replace a surface that does not bound a solid, m.
    pub thickness: Option<f64>,
}

/// A file that a scene uses.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RecordedSource {
    /// Its path.
    pub path: String,
    /// Its length, bytes.
    pub bytes: u64,
    /// Hash of its content (xxh3, 128 bits).
    pub hash: u128,
}

/// A method of a recording.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedMethod {
    /// The method.
    pub method: Method,
    /// Names and rest positions (m) of its points inside the body.
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
    /// The surface to show instead once the body is cut or broken.
    pub cut: Option<Cut>,
}

/// The closed surface of a cut or broken body, with lips and caps.
#[derive(Debug, Clone, PartialEq)]
pub struct Cut {
    /// The surface at rest. Its first vertices are those of the skin. Frames share it while nothing is cut.
    pub skin: Arc<Skin>,
    /// Positions of its vertices, m.
    pub positions: Vec<[f32; 3]>,
}

impl From<Vec<[f32; 3]>> for Surface {
    /// The surface of a whole body.
    fn from(positions: Vec<[f32; 3]>) -> Self {
        Self {
            positions,
            cut: None,
        }
    }
}

impl Surface {
    /// The surface to show for a body with this skin: at rest, and the positions of its vertices, m.
    pub fn shown<'a>(&'a self, skin: &'a Skin) -> (&'a Skin, &'a [[f32; 3]]) {
        match &self.cut {
            Some(cut) => (&cut.skin, &cut.positions),
            None => (skin, &self.positions),
        }
    }
}

/// The results of a frame, without surfaces.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Frame {
    /// Time at its end, s.
    pub time: f64,
    /// Pose of each tool at its end.
    pub tools: Vec<Pose>,
    /// The results of each method.
    pub methods: Vec<MethodFrame>,
}

/// The results of one method in a frame. After a method has stopped, its last good frame is repeated.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MethodFrame {
    /// Whether the frame could be computed.
    pub computed: bool,
    /// [`surface_hash`](crate::surface_hash()) of the skin.
    pub surface_hash: u64,
    /// Force (N) and torque (N·m) on each tool.
    pub wrenches: Vec<ToolWrench>,
    /// Force of each grab on the body, N.
    pub grabs: Vec<Vec3>,
    /// Value of each probe, m.
    pub probes: Vec<Vec3>,
    /// Displacement and stress of each point inside.
    pub inside: Vec<PointState>,
}

/// The data that are known after the last frame, one entry a method.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Summary {
    /// Hash over the surfaces of all frames: `surface_hash` of reports.
    pub surface_hash: Vec<u64>,
    /// Why the method stopped early; empty where it did not.
    pub stopped: Vec<String>,
}

impl Header {
    /// Whether the surfaces of frame number `frame` (from 0) are kept.
    pub fn keeps_surface(&self, frame: u32) -> bool {
        self.surface_every > 0 && (frame + 1).is_multiple_of(self.surface_every)
    }

    /// Index of `method` in `methods`.
    pub fn method(&self, method: Method) -> Option<usize> {
        self.methods.iter().position(|m| m.method == method)
    }
}
