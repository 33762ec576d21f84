//! Window sums along z of whole slabs.

pub(crate) mod goal_terms;
pub(crate) mod groups;
pub(crate) mod motion_terms;
pub(crate) mod stacked;
