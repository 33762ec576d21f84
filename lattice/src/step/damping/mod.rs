//! Damping of regions and of whole pieces.

pub(crate) mod pieces;
pub(crate) mod plan;
pub(crate) mod region_average;
