//! Light and shadow: the lighting model, the shadow of the key light on bodies, the shadow on the floor, and ambient occlusion.

mod ground;
mod height_map;
mod light_map;
pub mod occlusion;
pub mod shade;

pub(crate) use ground::Ground;
pub(crate) use light_map::LightMap;
pub use occlusion::Occluders;
pub use shade::{KEY_DIRECTION, light_from_world, shade};
