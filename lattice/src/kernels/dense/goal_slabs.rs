//! Inputs, outputs and work space of the goals of a range of slabs.

use crate::kernels::dense::sliding::Sliding;
use crate::kernels::irregular::exchange::SeparateRegions;
use crate::kernels::irregular::group::Group;
use crate::kernels::memory::channels::{FIELD, RING_CHANNELS, TRANSFORM};
use crate::kernels::memory::layout::Layout;
use crate::kernels::vector::pack::Numbers;

/// Work space of one thread for a range of slabs.
#[derive(Debug, Clone)]
pub(crate) struct Workspace {
    /// contributions of regions of a ring of slabs
    pub ring: Numbers,
    /// moments of a slab, which transforms replace in tiles
    pub moments: Numbers,
    /// transforms in padded planes; empty where they are in tiles, as what follows
    pub transforms: Numbers,
    pub field: Numbers,
    pub sums: [Numbers; 3],
    /// rotations of slabs of a neighbour's range
    pub spare: Numbers,
    pub sliding: Sliding,
}

impl Workspace {
    pub fn new(layout: &Layout) -> Self {
        let (plane, padded) = (layout.plane, layout.padded());
        let unfolded = |count: usize| Numbers::zeros(if layout.is_folded() { 0 } else { count });
        Self {
            ring: Numbers::zeros(layout.ring_slabs() * RING_CHANNELS * plane),
            moments: Numbers::zeros(12 * plane),
            transforms: unfolded(TRANSFORM * padded),
            field: unfolded(padded),
            sums: std::array::from_fn(|_| unfolded(padded)),
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
