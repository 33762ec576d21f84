//! Bodies of a few hundred particles whose regions are not boxes: the sixteen numbers of a particle side by side, and sums by a program.
//!
//! The bars, plates and cubes of the regions (Rivers and James 2007, section 4.2) become one list of instructions, each of which adds the numbers in
//! `2w + 1` slots of an arena into the next slot. Slot 0 is zero and fills instructions up; a longer sum goes on from its own first part. Distances
//! count from the middle of the block, so that sums are plain, and no place outside of the body costs anything. `i` is in the region of `j` exactly
//! when `j` is in that of `i`: the same program sums what particles are over regions, and what regions say over particles.

use pulp::Simd;

use super::compact_pass::{Goals, Smooth, with_scratch};
use super::kernel::State;
use super::layout::Layout;
use super::level::Level;
use super::pack::{LINE, Numbers, packs, packs_mut};
use super::turn::turn;
use crate::asset::LatticeAsset;

/// Slots of an arena.
pub(crate) const SLOTS: usize = 4096;
/// Marks numbers of a slot that have no plane.
pub(crate) const NONE: usize = 99;
/// The numbers of a slot: for positions `m̃ x` and its sums times x, y, z, four each, the last unused; for transforms τ and the columns of R.
pub(crate) type Wide = [f32; 16];
/// Longest half-width.
pub(crate) const WIDEST: usize = 3;

/// How to sum over the regions of a small body.
#[derive(Debug, Clone)]
pub(crate) struct Compact {
    /// `2w + 1`, the slots of an instruction
    ways: usize,
    program: Vec<u16>,
    /// slot of the sum of each particle's region
    pub cubes: Vec<u16>,
    /// planes of x, y and z of the particles, cells from the middle of the block
    pub sites: [Numbers; 3],
}

/// A program that is being written.
struct Writer {
    ways: usize,
    next: usize,
    program: Vec<u16>,
}

impl Writer {
    /// Slot of the sum of `entries`; nothing where the arena is full.
    fn sum(&mut self, entries: impl Iterator<Item = u16>) -> Option<u16> {
        let mut rest: Vec<u16> = entries.collect();
        while rest.len() > 1 {
            if self.next == SLOTS {
                return None;
            }
            let part = rest.len().min(self.ways);
            self.program.extend(rest.drain(..part));
            self.program.extend((part..self.ways).map(|_| 0));
            rest.insert(0, self.next as u16);
            self.next += 1;
        }
        Some(rest.first().copied().unwrap_or(0))
    }
}

impl Compact {
    /// Prepares for a lattice; nothing if it is too large.
    pub fn new(asset: &LatticeAsset) -> Option<Self> {
        let count = asset.particle_count();
        if asset.half_width > WIDEST || count >= SLOTS {
            return None;
        }
        let mut writer = Writer {
            ways: 2 * asset.half_width + 1,
            next: count + 1,
            program: Vec::new(),
        };
        let plan = &asset.plan;
        let mut bars = Vec::with_capacity(plan.bars.len());
        for [first, count] in &plan.bars {
            bars.push(writer.sum((first + 1..first + count + 1).map(|p| p as u16))?);
        }
        let mut plates = Vec::with_capacity(plan.plates.len());
        for row in plan.plates.rows() {
            plates.push(writer.sum(row.iter().map(|&bar| bars[bar as usize]))?);
        }
        let mut cubes = Vec::with_capacity(plan.cubes.len());
        for row in plan.cubes.rows() {
            cubes.push(writer.sum(row.iter().map(|&plate| plates[plate as usize]))?);
        }
        let middle = asset.dims.map(|n| (n as f32 - 1.0) / 2.0);
        let site = |axis: usize| {
            let mut plane = Numbers::zeros(count.next_multiple_of(LINE));
            for (to, site) in plane.iter_mut().zip(&asset.sites) {
                *to = f32::from(site[axis]) - middle[axis];
            }
            plane
        };
        let regions = asset.region_of.iter();
        Some(Self {
            ways: writer.ways,
            program: writer.program,
            cubes: regions.map(|&region| cubes[region as usize]).collect(),
            sites: [0, 1, 2].map(site),
        })
    }

    /// Has `constants` give the centres of regions from the middle of the block instead of from their particles.
    pub fn shift_centers(&self, layout: &Layout, constants: &mut [f32]) {
        for axis in 0..3 {
            let centers = &mut constants[(2 + axis) * layout.plane..][..layout.plane];
            let particles = self.sites[axis].iter().take(self.cubes.len());
            for (center, site) in centers.iter_mut().zip(particles) {
                *center += site;
            }
        }
    }

    /// Writes goal minus position to the offsets of `state` and its turned rotations.
    pub fn goals(
        &self,
        level: Level,
        layout: &Layout,
        (constants, firmness): (&[f32], &[f32]),
        state: &mut State,
    ) {
        with_scratch(layout, |scratch| {
            level.run(Goals {
                compact: self,
                layout,
                constants,
                firmness,
                state,
                scratch,
            });
        });
    }

    /// Writes smooth velocity minus velocity to `changes`; `state` has the centres of its regions.
    pub fn smooth(
        &self,
        level: Level,
        layout: &Layout,
        (constants, firmness): (&[f32], &[f32]),
        state: &State,
        velocities: &[f32],
        changes: &mut [f32],
    ) {
        with_scratch(layout, |scratch| {
            level.run(Smooth {
                compact: self,
                layout,
                constants,
                firmness,
                state,
                velocities,
                changes,
                scratch,
            });
        });
    }

    /// Runs the program on the first `LANES` numbers of the slots.
    #[inline(always)]
    pub fn run<const LANES: usize>(&self, arena: &mut [Wide; SLOTS]) {
        match self.ways {
            3 => self.run_ways::<3, LANES>(arena),
            5 => self.run_ways::<5, LANES>(arena),
            _ => self.run_ways::<7, LANES>(arena),
        }
    }

    #[inline(always)]
    fn run_ways<const WAYS: usize, const LANES: usize>(&self, arena: &mut [Wide; SLOTS]) {
        let first = self.cubes.len() + 1;
        let (instructions, _) = self.program.as_chunks::<WAYS>();
        for (k, slots) in instructions.iter().enumerate() {
            let mut sum = [0.0; LANES];
            for &slot in slots {
                // the remainder of a power of two says that the slot exists
                let value = &arena[usize::from(slot) % SLOTS];
                for c in 0..LANES {
                    sum[c] += value[c];
                }
            }
            let to = &mut arena[(first + k) % SLOTS];
            to[..LANES].copy_from_slice(&sum);
        }
    }

    /// Copies number `k` of each particle's sum to plane `plane_of[k]`.
    #[inline(always)]
    pub fn to_planes<S: Simd>(
        &self,
        simd: S,
        arena: &[Wide; SLOTS],
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
        arena: &mut [Wide; SLOTS],
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

/// The numbers of `slots`, as many as a vector has lanes or fewer: vector `k` has number `k` of each.
#[inline(always)]
pub(crate) fn gather<S: Simd>(simd: S, arena: &[Wide; SLOTS], slots: &[u16]) -> [S::f32s; 16] {
    let lanes = S::F32_LANES;
    let mut values = [simd.splat_f32s(0.0); 16];
    for part in (0..16).step_by(lanes) {
        let mut block = [simd.splat_f32s(0.0); LINE];
        for (row, &slot) in block.iter_mut().zip(slots) {
            *row = packs::<S>(&arena[usize::from(slot) % SLOTS], part, lanes)[0];
        }
        let block = turn(simd, block);
        values[part..part + lanes].copy_from_slice(&block[..lanes]);
    }
    values
}

/// Writes number `k` of each of `slots`, as many as a vector has lanes or fewer, from vector `k`.
#[inline(always)]
pub(crate) fn scatter<S: Simd>(simd: S, values: [S::f32s; 16], slots: &mut [Wide]) {
    let lanes = S::F32_LANES;
    for part in (0..16).step_by(lanes) {
        let mut block = [simd.splat_f32s(0.0); LINE];
        block[..lanes].copy_from_slice(&values[part..part + lanes]);
        let block = turn(simd, block);
        for (slot, row) in slots.iter_mut().zip(block) {
            packs_mut::<S>(slot, part, lanes)[0] = row;
        }
    }
}
