//! Light and shadow: one lighting model, the key light's shadow on bodies, the shadow on the floor, and hollows that less light reaches.

pub mod ground;
mod height_map;
pub mod light_map;
pub mod occlusion;
pub mod shade;

pub use ground::Ground;
pub use light_map::LightMap;
pub use occlusion::Occluders;
pub use shade::{KEY_DIRECTION, light_from_world, shade};
