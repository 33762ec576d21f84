//! Kernels of this crate that `pliant bench` times.

mod baked_box;
mod cube;
mod cube_second;
mod frame;
mod kernels;
mod level;
mod poke;

pub use kernels::KERNELS;
