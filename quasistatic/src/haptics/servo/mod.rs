//! The servo loop: reads the tips of a device and computes their forces once a millisecond.

mod force_loop;
pub mod meter;
mod params;
mod point_loop;
pub mod safety;
pub mod state;
mod tool_loop;

pub use force_loop::ForceLoop;
pub use params::ServoParams;
pub use point_loop::ServoLoop;
pub use state::{ServoOutput, ServoState};
pub use tool_loop::{LocalModels, ToolLoop};
