//! Stages of the pipelines of slabs, each compiled as a separate function: compilers allocate registers for each function, and do it worse in large
//! ones.

use std::ops::Range;

use pulp::{Simd, WithSimd};

use crate::kernels::matching::regions::{match_regions, match_tiles};
use crate::kernels::memory::layout::{Layout, Part};
use crate::kernels::memory::tiles::TripleOf;
use crate::kernels::windows::along_z::groups::AlongZ;
use crate::kernels::windows::folded::Folded;

/// Runs `work` in a separate function.
#[inline(never)]
pub(crate) fn run_out_of_line<S: Simd, W: WithSimd>(simd: S, work: W) -> W::Output {
    simd.vectorize(work)
}

/// How a stage runs: `work` with the stage as `self` and its vectors as `simd`.
macro_rules! stage {
    ($stage:ident, $self:ident, $simd:ident => $work:expr) => {
        impl WithSimd for $stage<'_> {
            type Output = ();

            #[inline(always)]
            fn with_simd<S: Simd>($self, $simd: S) {
                $work
            }
        }
    };
}
pub(crate) use stage;

/// [`AlongZ::moments`].
pub(crate) struct MomentsAlongZ<'a> {
    pub along_z: AlongZ,
    pub layout: &'a Layout,
    /// constants, positions
    pub fields: [&'a [f32]; 2],
    pub sums: &'a mut [f32],
}

stage!(MomentsAlongZ, self, simd => self.along_z.moments(simd, self.layout, self.fields, self.sums));

/// [`AlongZ::goals`].
pub(crate) struct GoalsAlongZ<'a> {
    pub along_z: AlongZ,
    pub layout: &'a Layout,
    pub ring: &'a [f32],
    /// constants, positions
    pub fields: [&'a [f32]; 2],
    pub out: &'a mut [f32],
}

stage!(GoalsAlongZ, self, simd => self.along_z.goals(simd, self.layout, self.ring, self.fields, self.out));

/// [`Folded::moments_along_x`].
pub(crate) struct MomentsAlongX<'a> {
    pub folded: &'a mut Folded,
    pub from: &'a [f32],
}

stage!(MomentsAlongX, self, simd => self.folded.moments_along_x(simd, self.from));

/// [`Folded::moments_along_y`].
pub(crate) struct MomentsAlongY<'a> {
    pub folded: &'a mut Folded,
    pub columns: &'a Range<usize>,
    pub moments: &'a mut [f32],
}

stage!(MomentsAlongY, self, simd => self.folded.moments_along_y(simd, self.columns, self.moments));

/// [`Folded::transforms_along_y`].
pub(crate) struct TransformsAlongY<'a> {
    pub folded: &'a mut Folded,
    pub columns: &'a Range<usize>,
    pub transforms: &'a [f32],
}

stage!(TransformsAlongY, self, simd => self.folded.transforms_along_y(simd, self.columns, self.transforms));

/// [`Folded::transforms_along_x`].
pub(crate) struct TransformsAlongX<'a> {
    pub folded: &'a mut Folded,
    pub to: &'a mut [f32],
}

stage!(TransformsAlongX, self, simd => self.folded.transforms_along_x(simd, self.to));

/// [`match_regions`].
pub(crate) struct MatchRegions<'a> {
    pub layout: &'a Layout,
    pub constants: &'a [f32],
    pub moments: &'a [f32],
    /// before and after
    pub rotations: (&'a [f32], &'a mut [f32]),
    pub transforms: &'a mut [f32],
}

stage!(MatchRegions, self, simd => match_regions(simd, self.layout, self.constants, self.moments, self.rotations, self.transforms));

/// [`match_tiles`].
pub(crate) struct MatchTiles<'a> {
    pub part: Part,
    pub constants: &'a [f32],
    /// before and after
    pub rotations: (&'a [f32], &'a mut [f32]),
    /// moments, then transforms
    pub regions: &'a mut [f32],
    /// of the axes
    pub triples: TripleOf,
}

stage!(MatchTiles, self, simd => match_tiles(simd, self.part, self.constants, self.rotations, self.regions, self.triples));
