//! Bodies of a few hundred particles: the sixteen numbers of a particle side by side, and sums by a program.
//!
//! The bars, plates and cubes of the regions (Rivers and James 2007, section 3.1, Eq. 3 and 4) become one list of instructions. Each adds the numbers in
//! two to seven slots of an arena into the next slot; instructions with equally many terms follow each other. A sum starts with the longest part of it that is
//! already a sum. Slot 0 is zero, the empty sum. Distances are relative to the centre of the block, so that all sums are unweighted, and places outside of the
//! body cost nothing. `i` is in the region of `j` exactly when `j` is in that of `i`: the same program sums values of particles over regions, and
//! contributions of regions over particles.

use pulp::Simd;

use crate::kernels::memory::layout::Layout;
use crate::kernels::vector::pack::{LINE, Numbers, packs, packs_mut};
use crate::kernels::vector::transpose::transpose;

/// Slots of an arena.
pub(crate) const SLOTS: usize = 4096;
/// Marks numbers of a slot that have no plane.
pub(crate) const NONE: usize = 99;
/// The numbers of a slot: for positions `m̃ x` and its sums times x, y, z, four each, the last unused; for transforms τ and the columns of R.
pub(crate) type Slot = [f32; SLOT_NUMBERS];
pub(crate) const SLOT_NUMBERS: usize = 16;
/// All slots, each on a cache line.
#[repr(C, align(64))]
pub(crate) struct Arena(pub [Slot; SLOTS]);

/// The program that sums over the regions of a small body.
#[derive(Debug, Clone)]
pub(crate) struct Compact {
    pub(crate) runs: Vec<Run>,
    /// offsets of the slots of the terms, one instruction after the other
    pub(crate) terms: Vec<u16>,
    /// slot of the sum of each particle's region
    pub cubes: Vec<u16>,
    /// planes of x, y and z of the particles, cells from the middle of the block
    pub sites: [Numbers; 3],
}

/// Instructions of equally many terms.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run {
    pub(crate) terms: usize,
    pub(crate) instructions: usize,
}

impl Compact {
    /// Makes the centres of regions in `constants` relative to the centre of the block instead of to their particles.
    pub fn shift_centers(&self, layout: &Layout, constants: &mut [f32]) {
        for axis in 0..3 {
            let centers = &mut constants[(2 + axis) * layout.plane..][..layout.plane];
            let particles = self.sites[axis].iter().take(self.cubes.len());
            for (center, site) in centers.iter_mut().zip(particles) {
                *center += site;
            }
        }
    }

    /// Runs the program on the first `LANES` numbers of the slots.
    #[inline(always)]
    pub fn run<const LANES: usize>(&self, arena: &mut [Slot; SLOTS]) {
        let (mut slot, mut terms) = (self.cubes.len() + 1, self.terms.as_slice());
        for run in &self.runs {
            let (these, others) = terms.split_at(run.terms * run.instructions);
            match run.terms {
                2 => add::<2, LANES>(these, slot, arena),
                3 => add::<3, LANES>(these, slot, arena),
                4 => add::<4, LANES>(these, slot, arena),
                5 => add::<5, LANES>(these, slot, arena),
                6 => add::<6, LANES>(these, slot, arena),
                _ => add::<7, LANES>(these, slot, arena),
            }
            (slot, terms) = (slot + run.instructions, others);
        }
    }

    /// Copies number `k` of each particle's sum to plane `plane_of[k]`.
    #[inline(always)]
    pub fn to_planes<S: Simd>(
        &self,
        simd: S,
        arena: &[Slot; SLOTS],
        plane: usize,
        plane_of: &[usize; 16],
        planes: &mut [f32],
    ) {
        for (group, cubes) in self.cubes.chunks(S::F32_LANES).enumerate() {
            let values = gather(simd, arena, cubes);
            for (value, &to) in values.iter().zip(plane_of) {
                if to < NONE {
                    let at = to * plane + group * S::F32_LANES;
                    packs_mut::<S>(planes, at, S::F32_LANES)[0] = *value;
                }
            }
        }
    }

    /// Copies plane `plane_of[k]` to number `k` of the particles' slots.
    #[inline(always)]
    pub fn to_slots<S: Simd>(
        &self,
        simd: S,
        planes: &[f32],
        plane: usize,
        plane_of: &[usize; 16],
        arena: &mut [Slot; SLOTS],
    ) {
        let slots = &mut arena[1..=self.cubes.len()];
        for (group, slots) in slots.chunks_mut(S::F32_LANES).enumerate() {
            let mut values = [simd.splat_f32s(0.0); 16];
            for (value, &from) in values.iter_mut().zip(plane_of) {
                if from < NONE {
                    let at = from * plane + group * S::F32_LANES;
                    *value = packs::<S>(planes, at, S::F32_LANES)[0];
                }
            }
            scatter(simd, values, slots);
        }
    }
}

/// Writes sums of `TERMS` slots each to the slots from `slot` on.
#[inline(always)]
pub(crate) fn add<const TERMS: usize, const LANES: usize>(
    terms: &[u16],
    slot: usize,
    arena: &mut [Slot; SLOTS],
) {
    let numbers = arena.as_flattened_mut();
    // the mask proves that the slot exists, which removes bounds checks
    let place = |at: usize| at & ((SLOTS - 1) * SLOT_NUMBERS);
    let (instructions, _) = terms.as_chunks::<TERMS>();
    for (k, terms) in instructions.iter().enumerate() {
        let mut sum = [0.0; LANES];
        for (t, &at) in terms.iter().enumerate() {
            let at = place(usize::from(at));
            let values = &numbers[at..at + LANES];
            for (sum, value) in sum.iter_mut().zip(values) {
                *sum = if t == 0 { *value } else { *sum + value };
            }
        }
        let at = place((slot + k) * SLOT_NUMBERS);
        numbers[at..at + LANES].copy_from_slice(&sum);
    }
}

/// The numbers of `slots`, as many as a vector has lanes or fewer: vector `k` has number `k` of each.
#[inline(always)]
pub(crate) fn gather<S: Simd>(simd: S, arena: &[Slot; SLOTS], slots: &[u16]) -> [S::f32s; 16] {
    let lanes = S::F32_LANES;
    let mut values = [simd.splat_f32s(0.0); 16];
    for part in (0..16).step_by(lanes) {
        let mut block = [simd.splat_f32s(0.0); LINE];
        for (row, &slot) in block.iter_mut().zip(slots) {
            *row = packs::<S>(&arena[usize::from(slot) % SLOTS], part, lanes)[0];
        }
        let block = transpose(simd, block);
        values[part..part + lanes].copy_from_slice(&block[..lanes]);
    }
    values
}

/// Writes number `k` of each of `slots`, as many as a vector has lanes or fewer, from vector `k`.
#[inline(always)]
pub(crate) fn scatter<S: Simd>(simd: S, values: [S::f32s; 16], slots: &mut [Slot]) {
    let lanes = S::F32_LANES;
    for part in (0..16).step_by(lanes) {
        let mut block = [simd.splat_f32s(0.0); LINE];
        block[..lanes].copy_from_slice(&values[part..part + lanes]);
        let block = transpose(simd, block);
        for (slot, row) in slots.iter_mut().zip(block) {
            packs_mut::<S>(slot, part, lanes)[0] = row;
        }
    }
}
