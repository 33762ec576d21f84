//! Bodies of a few hundred particles: the sixteen numbers of a particle side by side, and sums by a program.
//!
//! The bars, plates and cubes of the regions (Rivers and James 2007, section 4.2) become one list of instructions, each of which adds the numbers in
//! two to seven slots of an arena into the next slot; those of as many terms follow each other. A sum begins with the longest part of it that is a
//! sum already. Slot 0 is zero, the empty sum. Distances count from the middle of the block, so that sums are plain, and no place outside of the
//! body costs anything. `i` is in the region of `j` exactly when `j` is in that of `i`: the same program sums what particles are over regions, and
//! what regions say over particles.

use std::collections::HashMap;

use pulp::Simd;

use crate::asset::lattice_asset::LatticeAsset;
use crate::asset::lists::Lists;
use crate::kernels::body::kernel::State;
use crate::kernels::compact::passes::{Goals, Smooth, with_scratch};
use crate::kernels::memory::layout::Layout;
use crate::kernels::vector::level::Level;
use crate::kernels::vector::pack::{LINE, Numbers, packs, packs_mut};
use crate::kernels::vector::transpose::turn;

/// Slots of an arena.
pub(crate) const SLOTS: usize = 4096;
/// Marks numbers of a slot that have no plane.
pub(crate) const NONE: usize = 99;
/// The numbers of a slot: for positions `m̃ x` and its sums times x, y, z, four each, the last unused; for transforms τ and the columns of R.
pub(crate) type Wide = [f32; WIDTH];
const WIDTH: usize = 16;
/// All slots, each on a cache line.
#[repr(C, align(64))]
pub(crate) struct Arena(pub [Wide; SLOTS]);
/// Most terms of an instruction.
const MOST: usize = 7;
/// Longest half-width.
pub(crate) const WIDEST: usize = 3;

/// How to sum over the regions of a small body.
#[derive(Debug, Clone)]
pub(crate) struct Compact {
    runs: Vec<Run>,
    /// where the slots of the terms begin, one instruction after the other
    terms: Vec<u16>,
    /// slot of the sum of each particle's region
    pub cubes: Vec<u16>,
    /// planes of x, y and z of the particles, cells from the middle of the block
    pub sites: [Numbers; 3],
}

/// Instructions of equally many terms.
#[derive(Debug, Clone, Copy)]
struct Run {
    terms: usize,
    instructions: usize,
}

/// A program that is being written.
struct Writer {
    next: usize,
    runs: Vec<Run>,
    terms: Vec<u16>,
}

impl Writer {
    /// Slots of the sums of `lists`, none of which needs another; nothing where the arena is full. At the rim of a body a region often is its neighbour's and
    /// one part more: a sum begins with the longest part of its list that is a sum already.
    fn sums(&mut self, lists: &[Vec<u16>]) -> Option<Vec<u16>> {
        let mut slots: Vec<u16> = lists
            .iter()
            .map(|list| list.first().copied().unwrap_or(0))
            .collect();
        let mut known: HashMap<&[u16], u16> = HashMap::new();
        let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
        for length in 2..=longest {
            let mut sums: Vec<(usize, Vec<u16>)> = Vec::new();
            for (k, list) in lists.iter().enumerate().filter(|l| l.1.len() == length) {
                sums.push((k, self.shortened(terms_of(list, &known))?));
            }
            // those of as many terms together
            sums.sort_by_key(|sum| sum.1.len());
            for (k, terms) in sums {
                slots[k] = self.add(&terms)?;
                known.insert(&lists[k], slots[k]);
            }
        }
        Some(slots)
    }

    /// `terms` with as few as an instruction may have.
    fn shortened(&mut self, mut terms: Vec<u16>) -> Option<Vec<u16>> {
        while terms.len() > MOST {
            let part: Vec<u16> = terms.drain(..MOST).collect();
            terms.insert(0, self.add(&part)?);
        }
        Some(terms)
    }

    /// One more instruction; its slot, where there is one left.
    fn add(&mut self, terms: &[u16]) -> Option<u16> {
        if self.next == SLOTS {
            return None;
        }
        self.terms
            .extend(terms.iter().map(|slot| slot * WIDTH as u16));
        match self.runs.last_mut() {
            Some(run) if run.terms == terms.len() => run.instructions += 1,
            _ => self.runs.push(Run {
                terms: terms.len(),
                instructions: 1,
            }),
        }
        self.next += 1;
        Some(self.next as u16 - 1)
    }
}

/// The longest part of `list` that is a known sum, and what is left.
fn terms_of(list: &[u16], known: &HashMap<&[u16], u16>) -> Vec<u16> {
    let lengths = (2..list.len()).rev();
    let parts = lengths.flat_map(|length| (0..=list.len() - length).map(move |k| k..k + length));
    for part in parts {
        if let Some(&slot) = known.get(&list[part.clone()]) {
            let others = list[..part.start].iter().chain(&list[part.end..]);
            return std::iter::once(slot).chain(others.copied()).collect();
        }
    }
    list.to_vec()
}

impl Compact {
    /// Prepares for a lattice; nothing if it is too large.
    pub fn new(asset: &LatticeAsset) -> Option<Self> {
        let count = asset.particle_count();
        if asset.half_width > WIDEST || count >= SLOTS {
            return None;
        }
        let mut writer = Writer {
            next: count + 1,
            runs: Vec::new(),
            terms: Vec::new(),
        };
        let plan = &asset.plan;
        let particles = |[first, count]: &[u32; 2]| {
            let slots = first + 1..first + count + 1;
            slots.map(|slot| slot as u16).collect()
        };
        let bars = writer.sums(&plan.bars.iter().map(particles).collect::<Vec<_>>())?;
        let of = |rows: &Lists, slots: &[u16]| -> Vec<Vec<u16>> {
            let row = |row: &[u32]| row.iter().map(|&part| slots[part as usize]).collect();
            rows.rows().map(row).collect()
        };
        let plates = writer.sums(&of(&plan.plates, &bars))?;
        let cubes = writer.sums(&of(&plan.cubes, &plates))?;
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
            runs: writer.runs,
            terms: writer.terms,
            cubes: regions.map(|&region| cubes[region as usize]).collect(),
            sites: [0, 1, 2].map(site),
        })
    }

    /// Whether this is faster than passes over a block where all regions are boxes: not for the shortest sums, and only where
    /// places beside the body are a large part (measured with 64 to 1,000 particles).
    pub fn suits_block(asset: &LatticeAsset) -> bool {
        let most = match asset.half_width {
            1 => 0,
            2 => 256,
            _ => 600,
        };
        asset.particle_count() <= most
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

/// Writes sums of `TERMS` slots each to the slots from `slot` on.
#[inline(always)]
fn add<const TERMS: usize, const LANES: usize>(
    terms: &[u16],
    slot: usize,
    arena: &mut [Wide; SLOTS],
) {
    let numbers = arena.as_flattened_mut();
    // what is left of a place says that its slot exists
    let place = |at: usize| at & ((SLOTS - 1) * WIDTH);
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
        let at = place((slot + k) * WIDTH);
        numbers[at..at + LANES].copy_from_slice(&sum);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn writer(next: usize) -> Writer {
        Writer {
            next,
            runs: Vec::new(),
            terms: Vec::new(),
        }
    }

    /// Sums of all slots by the program, each particle with a bit of its own.
    fn values(writer: &Writer, particles: usize) -> Vec<u32> {
        let mut values = vec![0];
        values.extend((0..particles).map(|p| 1 << p));
        let mut terms = writer.terms.iter();
        for run in &writer.runs {
            for _ in 0..run.instructions {
                let slots = terms.by_ref().take(run.terms);
                values.push(slots.map(|&at| values[usize::from(at) / WIDTH]).sum());
            }
        }
        values
    }

    #[test]
    fn sums_begin_with_sums_and_leave_nothing_out() {
        // windows of half-width 2 in a row of six, one of all, one alone and an empty one
        let mut lists: Vec<Vec<u16>> = (1_u16..=6)
            .map(|p| (p.saturating_sub(2).max(1)..=(p + 2).min(6)).collect())
            .collect();
        lists.extend([(1..=20).collect(), vec![4], Vec::new()]);
        let mut writer = writer(21);
        let slots = writer.sums(&lists).expect("room");
        let values = values(&writer, 20);
        for (list, slot) in lists.iter().zip(&slots) {
            let expected: u32 = list.iter().map(|&p| 1 << (p - 1)).sum();
            assert_eq!(values[usize::from(*slot)], expected, "{list:?}");
        }
        // abc, abcd, abcde, bcdef, cdef, def: 3 + 2 + 2 + 2 + 2 + 3; of all, abcde and the others: 7 + 7 + 4
        assert_eq!(writer.terms.len(), 14 + 18);
        assert!(writer.terms.len() < lists.iter().map(Vec::len).sum());
    }

    #[test]
    fn a_full_arena_is_refused() {
        assert_eq!(writer(SLOTS).sums(&[vec![1, 2]]), None);
        assert!(writer(SLOTS - 1).sums(&[vec![1, 2]]).is_some());
    }
}
