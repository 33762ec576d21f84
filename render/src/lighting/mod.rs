//! Light and shadow: one lighting model, the key light's shadow on bodies, and the shadow on the floor.

pub mod ground;
mod height_map;
pub mod light_map;
pub mod shade;

pub use ground::Ground;
pub use light_map::LightMap;
pub use shade::{KEY_DIRECTION, light_from_world, shade};
