//! What `pliant bench` times in this crate.

pub(crate) mod blocks;
mod breaking_block;
pub(crate) mod broken_links;
pub mod cases;
pub(crate) mod double_step;
pub(crate) mod region_sums;
pub(crate) mod rotations;
pub mod skin;
mod stacked_bodies;
pub(crate) mod steps;
