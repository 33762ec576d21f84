//! Kernels of this crate that `pliant bench` times.

mod frame;
mod kernels;
mod poke;

pub use kernels::KERNELS;
