//! From a scene to what the panes draw: skin, floor, tools, and a camera that sees them.

mod decimation;
mod floor;
mod framing;
mod occlusion;
mod place_view;
mod tools;
mod view;

pub(crate) use decimation::DecimationJob;
pub use framing::{Aim, aim};
pub use occlusion::{OcclusionJob, SkinOcclusion};
pub use place_view::view_of_place;
pub use tools::{tool_meshes, tool_poses};
pub use view::SceneView;
