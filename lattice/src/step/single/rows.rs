//! Passes over the particles of slabs, on several threads, without memory of their own.

use std::ops::Range;

use pliant_core::math::Vec3;

use crate::step::single::pass_memory::Sums;

/// Particles below which a pass stays on its thread.
const GRAIN: usize = 2048;

/// Arrays that a pass writes, of consecutive slabs: one vector a particle, three planes a slab, one entry a slab. Each may be empty.
pub(crate) struct Rows<'a> {
    pub vectors: [&'a mut [Vec3]; 2],
    pub planes: [&'a mut [f32]; 2],
    pub sums: &'a mut [Sums],
}

impl<'a> Rows<'a> {
    /// Calls `work` for each slab with its particles. `starts` are the first particles of the slabs and the number of all, `plane` the length of a plane.
    pub fn each(
        self,
        (starts, plane, parallel): (&[usize], usize, bool),
        work: &(impl Fn(Range<usize>, Rows<'_>) + Sync),
    ) {
        let slabs = starts.len().saturating_sub(1);
        if slabs == 0 {
            return;
        }
        if slabs == 1 {
            work(starts[0]..starts[1], self);
            return;
        }
        let half = slabs / 2;
        let (one, other) = self.cut(starts[half] - starts[0], half, plane);
        let one = || one.each((&starts[..=half], plane, parallel), work);
        let other = || other.each((&starts[half..], plane, parallel), work);
        if parallel && starts[slabs] - starts[0] > GRAIN {
            rayon::join(one, other);
        } else {
            one();
            other();
        }
    }

    /// Cuts off the first `particles` and `slabs`.
    fn cut(self, particles: usize, slabs: usize, plane: usize) -> (Self, Self) {
        let Self {
            vectors: [a, b],
            planes: [d, e],
            sums,
        } = self;
        let ((a, a2), (b, b2)) = (split(a, particles), split(b, particles));
        let ((d, d2), (e, e2)) = (split(d, 3 * plane * slabs), split(e, 3 * plane * slabs));
        let (sums, sums2) = split(sums, slabs);
        let one = Self {
            vectors: [a, b],
            planes: [d, e],
            sums,
        };
        let other = Self {
            vectors: [a2, b2],
            planes: [d2, e2],
            sums: sums2,
        };
        (one, other)
    }
}

/// Two parts of an array, or of none.
fn split<T>(array: &mut [T], at: usize) -> (&mut [T], &mut [T]) {
    let at = at.min(array.len());
    array.split_at_mut(at)
}
