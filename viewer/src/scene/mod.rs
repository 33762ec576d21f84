//! From a scene to what the panes draw: skin, floor, tools, and a camera that sees them.

mod floor;
mod framing;
mod place_view;
mod tools;
mod view;

pub use framing::aim;
pub use place_view::view_of_place;
pub use tools::{tool_meshes, tool_poses};
pub use view::SceneView;
