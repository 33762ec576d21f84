//! Pictures: bodies and tools on a floor, and several pictures side by side.

mod backdrop;
mod scene;
mod strip;
mod views;

pub use backdrop::Backdrop;
pub use scene::draw_scene;
pub use strip::{stacked, titled};
pub use views::{BodyView, PictureOptions, ToolView};
