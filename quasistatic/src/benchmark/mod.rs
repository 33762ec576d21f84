//! Kernels of this crate that `pliant bench` times.

mod bake;
mod capacitance;
mod column_sum;
mod friction;
mod haptics;
mod kernels;

pub use kernels::KERNELS;
pub mod rabbit;
mod wavelet_sum;
