//! The description of a whole scene, and of its view in a window.

mod scene;
mod view;

pub use scene::SceneDescription;
pub(crate) use view::read_view;
pub use view::{CameraDescription, ViewDescription};
