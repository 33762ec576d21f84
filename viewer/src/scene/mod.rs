//! From a scene to what the panes draw: skin, floor, tools, and a camera that sees them.

mod background;
mod fewer_triangles;
mod floor;
mod framing;
mod occlusion;
mod place_view;
mod tools;
mod view;

pub(crate) use fewer_triangles::FewerTriangles;
pub use framing::{Aim, aim};
pub use occlusion::{OcclusionJob, SkinOcclusion};
pub use place_view::view_of_place;
pub use tools::{tool_meshes, tool_poses};
pub use view::SceneView;
