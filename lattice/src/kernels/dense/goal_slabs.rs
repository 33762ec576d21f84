//! Inputs, outputs and work space of the goals of a range of slabs.

use crate::kernels::dense::sliding::Sliding;
use crate::kernels::irregular::exchange::SeparateRegions;
use crate::kernels::irregular::group::Group;
use crate::kernels::memory::channels::{
    FIELD, FIRST_RING_CHANNELS, SECOND_RING_CHANNELS, TRANSFORM,
};
use crate::kernels::memory::layout::Layout;
use crate::kernels::vector::pack::Numbers;

/// Work space of one thread for a range of slabs.
#[derive(Debug, Clone)]
pub(crate) struct Workspace {
    /// rings of slabs
    pub first: Numbers,
    pub second: Numbers,
    pub zeros: Numbers,
    /// moments of a slab, which transforms replace in tiles, or transforms in padded planes
    pub moments: Numbers,
    pub transforms: Numbers,
    pub field: Numbers,
    pub sums: [Numbers; 3],
    /// rotations of slabs of a neighbour's range
    pub spare: Numbers,
    pub sliding: Sliding,
}

impl Workspace {
    pub fn new(layout: &Layout) -> Self {
        let long = layout.is_long();
        let slabs = layout.ring_slabs();
        let (plane, padded) = (layout.plane, layout.padded());
        let short = |count: usize| Numbers::zeros(if long { 0 } else { count });
        Self {
            first: short(slabs * FIRST_RING_CHANNELS * plane),
            second: Numbers::zeros(slabs * SECOND_RING_CHANNELS * plane),
            zeros: Numbers::zeros(plane),
            moments: Numbers::zeros(12 * plane),
            transforms: short(TRANSFORM * padded),
            field: short(padded),
            sums: std::array::from_fn(|_| short(padded)),
            spare: Numbers::zeros(4 * plane),
            sliding: Sliding::new(layout, FIELD, 0),
        }
    }
}

/// The parts of a body that a range of slabs reads and writes.
pub(crate) struct Slabs<'a> {
    pub layout: &'a Layout,
    /// [`CONSTANTS`](crate::kernels::memory::channels::CONSTANTS) planes a slab
    pub constants: &'a [f32],
    /// a plane a slab, weights of regions; empty for a body of uniform stiffness
    pub weights: &'a [f32],
    /// three planes a slab, cells
    pub positions: &'a [f32],
    /// four planes a slab, all slabs
    pub rotations: &'a [f32],
    /// slabs to work on
    pub range: std::ops::Range<usize>,
    /// rotations of these slabs, to be written
    pub rotated: &'a mut [f32],
    /// goal minus position of these slabs, three planes a slab, cells, to be written
    pub offsets: &'a mut [f32],
    /// centres of regions of these slabs, three planes a slab, cells, to be written
    pub centers: &'a mut [f32],
    pub separate: SeparateRegions<'a>,
    /// contributions of the sources of changed regions in these slabs, by slab and place, to be written
    pub contributions: &'a mut [Group],
    /// transforms of the sources of these slabs, to be written
    pub values: &'a mut [Group],
    pub workspace: &'a mut Workspace,
}
