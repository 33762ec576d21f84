//! Subdivision connectivity: a base mesh whose triangles are split into four, again and again.

mod coarsen;
mod hierarchy;

pub use coarsen::{Detected, detect};
pub use hierarchy::{Refinement, SubdivisionHierarchy};
pub(crate) use hierarchy::{opposite_corners, split};
