//! Blocks whose regions are boxes, slab by slab.

pub(crate) mod changes;
pub(crate) mod goal_slabs;
pub(crate) mod long_goals;
pub(crate) mod long_smooth;
pub(crate) mod ring;
pub(crate) mod short_goals;
pub(crate) mod short_smooth;
pub(crate) mod sliding;
pub(crate) mod small_block;
pub(crate) mod smooth_slabs;
pub(crate) mod stages;
