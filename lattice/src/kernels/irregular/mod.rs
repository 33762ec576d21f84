//! Regions that are not boxes, and regions that fracture has changed.

pub(crate) mod changed_regions;
pub(crate) mod exchange;
mod goals;
pub(crate) mod group;
pub(crate) mod irregular_part;
pub(crate) mod list;
pub(crate) mod listed;
pub(crate) mod pieces;
