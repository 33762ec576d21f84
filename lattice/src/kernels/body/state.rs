//! The numbers of a moving body.

use crate::kernels::memory::layout::Layout;
use crate::kernels::vector::pack::Numbers;

/// The numbers of a moving body, in planes of its layout.
#[derive(Debug, Clone)]
pub(crate) struct State {
    /// cells about the centre of the body
    pub positions: Numbers,
    /// unit quaternions (w, x, y, z) of the particles' regions, where the next search begins
    pub rotations: Numbers,
    pub rotated: Numbers,
    /// goal minus position, cells
    pub offsets: Numbers,
    /// centres of regions, cells
    pub centers: Numbers,
}

impl State {
    /// A body at rest, with places but no positions.
    pub fn new(layout: &Layout) -> Self {
        let mut rotations = layout.planes(4);
        for slab in rotations.chunks_exact_mut(4 * layout.plane) {
            slab[..layout.plane].fill(1.0);
        }
        Self {
            positions: layout.planes(3),
            rotated: rotations.clone(),
            rotations,
            offsets: layout.planes(3),
            centers: layout.planes(3),
        }
    }
}
