//! Regions that are not boxes, and regions that fracture has changed.

pub(crate) mod changed_regions;
mod goals;
pub(crate) mod irregular_part;
pub(crate) mod listed;
pub(crate) mod pieces;
