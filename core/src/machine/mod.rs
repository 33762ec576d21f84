//! Parts that depend on the machine: memory, vector instructions, the clock.

pub mod aligned;
pub mod large_pages;
pub mod simd;
pub mod stage_timer;
