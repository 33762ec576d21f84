//! The servo loop: reads the tips of a device and computes their forces once a millisecond.

pub mod force_loop;
pub mod meter;
mod point_loop;
pub mod safety;
pub mod state;
mod tool_loop;

pub use force_loop::{ForceLoop, ServoParams};
pub use point_loop::ServoLoop;
pub use state::{ServoOutput, ServoState};
pub use tool_loop::{LocalModels, ToolLoop};
