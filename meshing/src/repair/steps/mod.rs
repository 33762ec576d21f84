//! The steps of a repair, each by itself.

pub(crate) mod edges;
pub(crate) mod faces;
pub(crate) mod orient;
pub(crate) mod split;
pub(crate) mod t_junction;
pub(crate) mod weld;
