//! The servo loop: a device says where its tips are, the loop answers with forces, once a millisecond.

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
