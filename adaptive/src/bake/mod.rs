//! How a hierarchy is made from the geometry of a body.

pub mod calibration;
mod hierarchy;
pub mod lowest_frequency;

pub(crate) use hierarchy::bake_single;
pub use hierarchy::{AdaptiveBakeError, bake, bake_with};
