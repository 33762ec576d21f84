//! The oscillation study of Debunne et al. 2001.

pub mod half_refined;
pub mod mesh;
mod mixed;
mod oscillation;
pub mod reference;

pub use mixed::oscillate_mixed;
pub use oscillation::*;
