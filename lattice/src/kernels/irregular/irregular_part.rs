//! Particles whose regions are not boxes: their places in slabs and their buffers.

use pliant_core::aligned::Aligned;

use crate::asset::LatticeAsset;
use crate::kernels::irregular::group::Group;
use crate::kernels::irregular::listed::Listed;
use crate::kernels::memory::layout::Layout;

/// Particles whose regions are not boxes, with their buffers.
#[derive(Debug, Clone)]
pub(crate) struct IrregularPart {
    pub listed: Listed,
    /// number of targets and of sources before each slab, and their places in it
    pub target_starts: Vec<u32>,
    pub target_places: Vec<u32>,
    pub source_starts: Vec<u32>,
    pub source_places: Vec<u32>,
    /// of each source
    pub field: Aligned<Group>,
    /// of each target
    pub sums: Aligned<Group>,
}

impl IrregularPart {
    pub fn new(asset: &LatticeAsset, layout: &Layout, listed: Listed) -> Self {
        let places = |particles: &[u32]| {
            let (mut starts, mut places) = (vec![0_u32; layout.slabs + 1], Vec::new());
            for &p in particles {
                let (slab, at) = layout.place(p as usize, &asset.sites[p as usize]);
                starts[slab + 1] += 1;
                places.push(at as u32);
            }
            for slab in 0..layout.slabs {
                starts[slab + 1] += starts[slab];
            }
            (starts, places)
        };
        let (target_starts, target_places) = places(&listed.targets);
        let (source_starts, source_places) = places(&listed.sources);
        Self {
            field: Aligned::zeros(listed.sources.len()),
            sums: Aligned::zeros(listed.targets.len()),
            target_starts,
            target_places,
            source_starts,
            source_places,
            listed,
        }
    }

    /// Calls `f` with the slab and place of each entry of `part`, which begins at entry `start` of those that `starts` counts by slab.
    pub fn for_each_entry<T>(
        starts: &[u32],
        places: &[u32],
        start: usize,
        part: &mut [T],
        mut f: impl FnMut(usize, usize, &mut T),
    ) {
        let mut slab = starts
            .partition_point(|&s| s as usize <= start)
            .saturating_sub(1);
        for (k, out) in part.iter_mut().enumerate() {
            let number = start + k;
            while starts[slab + 1] as usize <= number {
                slab += 1;
            }
            f(slab, places[number] as usize, out);
        }
    }
}
