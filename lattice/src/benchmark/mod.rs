//! What `pliant bench` times in this crate.

mod blocks;
mod breaking_block;
pub mod cases;
mod region_sums;
mod rotations;
mod skin;
mod stepped_body;
mod steps;

pub use blocks::{block, pace, shell, wave};
pub use stepped_body::{Pace, SteppedBody};
