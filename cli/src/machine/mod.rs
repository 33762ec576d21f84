//! Properties of this machine, and resources of this process.

mod display;
mod memory;
mod processor;
mod processor_time;

pub use display::display_state;
pub use memory::peak_megabytes;
pub use pliant_core::simd::kernels;
pub use processor::{cores, machine_line, simd};
pub use processor_time::of_this_thread;
