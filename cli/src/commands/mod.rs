//! The commands, each in a file or folder of its name. They print their lines and return their result.

pub mod advise;
pub mod bake;
pub mod bench;
pub mod compare;
pub mod doctor;
pub mod greens;
pub mod meshes;
pub mod oscillate;
pub mod recordings;
pub mod run;
pub mod scenes;
pub mod servo;
pub mod view;
