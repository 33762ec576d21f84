//! Scenes: text that is checked once and then constant.
//!
//! [`load_scene`] turns TOML text into a [`SceneDescription`]: every key known, every value in range, every name resolved.
//! What needs the body's geometry (selections, probes, scripted pokes) is resolved when the body is built.
//! Each table of a scene has a file, with its description and how it is read; `text/` knows the keys.

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
    ConstraintChoice, FibresDescription, GivenMesh, GivenMeshError, GreensElements,
    GreensGenerator, GreensLoads, InsideDescription, LatticeDescription, LayoutDescription,
    MeshRepair, MeshSource, QuasistaticDescription, SupportDescription, VertexWeight,
    WaveletChoice, WaveletDescription,
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
