//! What a scene is made of.

pub mod body;
pub mod material;
pub mod scene;
pub mod selection;
pub mod tool;
