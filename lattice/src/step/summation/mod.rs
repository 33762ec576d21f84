//! Sums over regions, the heart of the method.
//!
//! The operator takes one entry a particle and gives one entry a distinct region, the sum over its particles. Since `i ∈ R_j` exactly when
//! `j ∈ R_i`, the same operator also brings numbers of regions back to particles.

mod bar_plate_cube;
mod naive;
pub(crate) mod region_sums;
mod running;
pub(crate) mod scratch;

pub(crate) use region_sums::Summation;
pub(crate) use scratch::Scratch;
