//! Parallel passes over the particles of slabs, without allocations.

use std::ops::Range;

use pliant_core::math::Vec3;

use crate::step::single::pass_memory::Sums;

/// Number of particles up to which a pass stays on its thread.
const MIN_PARTICLES_PER_TASK: usize = 2048;

/// Arrays that a pass writes, for consecutive slabs: one vector a particle, three planes a slab, one entry a slab. Each may be empty.
pub(crate) struct SlabArrays<'a> {
    pub vectors: [&'a mut [Vec3]; 2],
    pub planes: [&'a mut [f32]; 2],
    pub sums: &'a mut [Sums],
}

impl<'a> SlabArrays<'a> {
    /// Calls `work` for each slab with its particles. `starts` are the first particle of each slab and the total number, `plane` the length of a plane.
    pub fn for_each_slab(
        self,
        (starts, plane, parallel): (&[usize], usize, bool),
        work: &(impl Fn(Range<usize>, SlabArrays<'_>) + Sync),
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
        let (one, other) = self.split_slabs(starts[half] - starts[0], half, plane);
        let one = || one.for_each_slab((&starts[..=half], plane, parallel), work);
        let other = || other.for_each_slab((&starts[half..], plane, parallel), work);
        if parallel && starts[slabs] - starts[0] > MIN_PARTICLES_PER_TASK {
            rayon::join(one, other);
        } else {
            one();
            other();
        }
    }

    /// Splits off the first `particles` and `slabs`.
    fn split_slabs(self, particles: usize, slabs: usize, plane: usize) -> (Self, Self) {
        let [(a, a2), (b, b2)] = self.vectors.map(|v| split_at_most(v, particles));
        let [(d, d2), (e, e2)] = self.planes.map(|p| split_at_most(p, 3 * plane * slabs));
        let (sums, sums2) = split_at_most(self.sums, slabs);
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

/// Splits an array, which may be empty.
fn split_at_most<T>(array: &mut [T], at: usize) -> (&mut [T], &mut [T]) {
    let at = at.min(array.len());
    array.split_at_mut(at)
}

/// Writes a vector to index `at` of the three planes of a slab.
#[inline(always)]
pub(crate) fn write_vector(planes: &mut [f32], plane: usize, at: u32, value: &Vec3) {
    let at = at as usize;
    planes[at] = value.x as f32;
    planes[plane + at] = value.y as f32;
    planes[2 * plane + at] = value.z as f32;
}
