//! Blocks whose regions are boxes, slab by slab.

pub(crate) mod block_goals;
pub(crate) mod block_smooth;
pub(crate) mod changes;
pub(crate) mod goal_slabs;
pub(crate) mod sliding;
pub(crate) mod small_block;
pub(crate) mod smooth_slabs;
pub(crate) mod stages;
