//! Construction of a hierarchy from the geometry of a body.

pub mod calibration;
mod check;
mod error;
mod hierarchy;
mod level;
mod links;
pub mod lowest_frequency;
mod material;

pub use check::VOLUME_LIMIT;
pub use error::AdaptiveBakeError;
pub(crate) use hierarchy::bake_single;
pub use hierarchy::bake_with;
