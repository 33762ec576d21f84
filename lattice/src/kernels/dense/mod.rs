//! Blocks whose regions are boxes, slab by slab.

pub(crate) mod long_goals;
pub(crate) mod short_goals;
pub(crate) mod short_smooth;
pub(crate) mod small_block;
pub(crate) mod stages;
