//! The oscillation study of Debunne et al. 2001.

pub mod mesh;
mod oscillation;
pub mod reference;

pub use oscillation::*;
