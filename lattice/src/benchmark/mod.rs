//! What `pliant bench` times in this crate.

mod blocks;
mod breaking_block;
mod broken_links;
pub mod cases;
mod double_step;
mod region_sums;
mod rotations;
pub mod skin;
mod stepped_body;
mod steps;

pub use blocks::{block, shell};
pub use stepped_body::{Pace, SteppedBody};
