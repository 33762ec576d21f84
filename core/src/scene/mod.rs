//! Scenes: text that is checked once and then constant.
//!
//! [`load_scene`] turns TOML text into a [`SceneDescription`]: every key known, every value in range, every name resolved.
//! What needs the body's geometry (selections, probes, scripted pokes) is resolved when the body is built.

mod body;
mod bones;
pub mod description;
pub mod error;
mod given;
pub mod keys;
mod lattice;
mod layout;
pub mod load;
mod quasistatic;
mod read;
pub mod selection;
mod tools;

pub use bones::{BoneDescription, BoneShape};
pub use description::*;
pub use error::SceneError;
pub use given::{GivenMesh, GivenMeshError};
pub use layout::{LayoutDescription, MOST_COPIES};
pub use load::{REFERENCE, load_scene};
pub use selection::Selection;
