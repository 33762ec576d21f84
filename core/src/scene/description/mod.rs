//! What a scene says as a whole, and how a window shows it.

mod scene;
mod view;

pub use scene::SceneDescription;
pub(crate) use view::read_view;
pub use view::{CameraDescription, ViewDescription};
