//! The edges of a level and their cuts.

mod edges;
mod kept_sides;

pub(crate) use edges::CutEdges;
pub(crate) use kept_sides::KeptSides;
