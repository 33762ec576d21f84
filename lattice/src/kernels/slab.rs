//! What goes into window sums along z of a slab.

use pulp::Simd;

use super::layout::{CONSTANTS, Layout};
use super::pack::{Pack, packs};
use super::smooth::{SUMS, fields_of};

/// Places, velocities and shares of a slab.
#[derive(Clone, Copy)]
pub(crate) struct Slab<'a, S: Simd> {
    share: &'a [S::f32s],
    positions: [&'a [S::f32s]; 3],
    velocities: [&'a [S::f32s]; 3],
}

impl<'a, S: Simd> Slab<'a, S> {
    /// Slab `slab`, or `zeros` where there is none.
    #[inline(always)]
    pub fn new(
        layout: &Layout,
        zeros: &'a [f32],
        constants: &'a [f32],
        [positions, velocities]: [&'a [f32]; 2],
        slab: Option<usize>,
    ) -> Self {
        let plane = layout.plane;
        let zero = packs::<S>(zeros, 0, plane);
        let mut out = Self {
            share: zero,
            positions: [zero; 3],
            velocities: [zero; 3],
        };
        if let Some(z) = slab {
            out.share = packs::<S>(constants, z * CONSTANTS * plane, plane);
            for c in 0..3 {
                let at = (3 * z + c) * plane;
                out.positions[c] = packs::<S>(positions, at, plane);
                out.velocities[c] = packs::<S>(velocities, at, plane);
            }
        }
        out
    }

    /// `m̃ x` of pack `j`.
    #[inline(always)]
    pub fn field(&self, simd: S, j: usize) -> [Pack<S>; 3] {
        let (share, x) = (Pack::new(simd, self.share[j]), self.positions);
        [
            Pack::new(simd, x[0][j]) * share,
            Pack::new(simd, x[1][j]) * share,
            Pack::new(simd, x[2][j]) * share,
        ]
    }

    /// The fields of motion of pack `j`.
    #[inline(always)]
    pub fn fields(&self, simd: S, j: usize) -> [Pack<S>; SUMS] {
        let (x, v) = (self.positions, self.velocities);
        let position = [
            Pack::new(simd, x[0][j]),
            Pack::new(simd, x[1][j]),
            Pack::new(simd, x[2][j]),
        ];
        let velocity = [
            Pack::new(simd, v[0][j]),
            Pack::new(simd, v[1][j]),
            Pack::new(simd, v[2][j]),
        ];
        fields_of(Pack::new(simd, self.share[j]), position, velocity)
    }
}
