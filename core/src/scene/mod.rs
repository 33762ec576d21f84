//! Scenes: text that is checked once and does not change afterwards.
//!
//! [`load_scene`] turns TOML text into a [`SceneDescription`]: every key is known, every value in range, and every name resolved.
//! Selections, probes and scripted pokes depend on the geometry of a body, and are resolved when it is built.
//! Each table of a scene has a file with its description and its reader; `text/` has the keys.

mod body;
mod check;
mod comparison;
mod description;
mod error;
mod grab;
mod load;
mod method;
mod motion;
mod probe;
mod selection;
mod text;
mod tool;

pub use body::{
    AdaptiveDescription, BodyDescription, BoneDescription, BoneShape, BoundaryChoice,
    ConstraintLevel, Fibres, GivenMesh, GivenMeshError, GreensElements, GreensGenerator,
    GreensLoads, LatticeDescription, LatticeSums, LayoutDescription, MeshRepair, MeshSource,
    NamedPoint, QuasistaticDescription, RotationMethod, ShapeMatching, SupportDescription,
    VertexWeight, WaveletAreas, WaveletBasis, WaveletDescription,
};
pub use check::{CheckDescription, REFERENCE};
pub use comparison::ReferenceChoice;
pub use description::{CameraDescription, SceneDescription, ViewDescription};
pub use error::SceneError;
pub use grab::GrabDescription;
pub use load::load_scene;
pub use method::Method;
pub use motion::MotionDescription;
pub use probe::ProbeDescription;
pub use selection::Selection;
pub use text::{hand_keys, scene_schema};
pub use tool::{ShapeDescription, ToolDescription, shape_table};
