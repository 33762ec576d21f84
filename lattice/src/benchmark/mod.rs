//! What `pliant bench` times in this crate.

mod breaking_block;
pub mod cases;
pub mod skin;
mod stacked_bodies;
