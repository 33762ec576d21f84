//! Inputs, outputs and work space of the smooth velocities of a range of slabs.

use std::ops::Range;

use crate::kernels::dense::sliding::Sliding;
use crate::kernels::irregular::exchange::SeparateRegions;
use crate::kernels::irregular::group::Group;
use crate::kernels::memory::channels::{RIGID, SUMS};
use crate::kernels::memory::layout::Layout;
use crate::kernels::vector::pack::Numbers;

/// Work space of one thread for a range of slabs.
#[derive(Debug, Clone)]
pub(crate) struct SmoothWorkspace {
    pub first: Numbers,
    pub second: Numbers,
    pub zeros: Numbers,
    pub sums: Numbers,
    pub fields: Numbers,
    pub rows: Numbers,
    pub rigid: Numbers,
    pub sliding: Sliding,
}

impl SmoothWorkspace {
    pub fn new(layout: &Layout) -> Self {
        let list = layout.is_list();
        let long = layout.is_long();
        let slabs = layout.ring_slabs();
        let (plane, padded) = (layout.plane, layout.padded());
        Self {
            first: Numbers::zeros(if long { 0 } else { slabs * SUMS * plane }),
            second: Numbers::zeros(slabs * RIGID * plane),
            zeros: Numbers::zeros(plane),
            sums: Numbers::zeros(SUMS * plane),
            fields: Numbers::zeros(if list || long { 0 } else { SUMS * padded }),
            rows: Numbers::zeros(if long { 0 } else { padded }),
            rigid: Numbers::zeros(RIGID * padded),
            sliding: Sliding::new(layout, SUMS, RIGID),
        }
    }
}

/// The parts of a body that a range of slabs reads and writes.
pub(crate) struct SmoothSlabs<'a> {
    pub layout: &'a Layout,
    pub constants: &'a [f32],
    /// a plane a slab, weights of regions; empty for a body of uniform stiffness
    pub weights: &'a [f32],
    /// three planes a slab each: cells, cells per second, cells
    pub positions: &'a [f32],
    pub velocities: &'a [f32],
    pub centers: &'a [f32],
    pub range: Range<usize>,
    /// smooth velocity minus velocity, three planes a slab, to be written
    pub changes: &'a mut [f32],
    pub separate: SeparateRegions<'a>,
    /// contributions of the sources of changed regions in these slabs, by slab and place, to be written
    pub contributions: &'a mut [Group],
    pub values: &'a mut [Group],
    pub workspace: &'a mut SmoothWorkspace,
}
