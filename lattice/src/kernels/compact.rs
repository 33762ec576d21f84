//! Bodies of a few hundred particles whose regions are not boxes: the sixteen numbers of a particle side by side, and sums by a program.
//!
//! The bars, plates and cubes of the regions (Rivers and James 2007, section 4.2) become one list of instructions, each of which adds the numbers in
//! `2w + 1` slots of an arena into the next slot. Slot 0 is zero and fills instructions up; a longer sum goes on from its own first part. Distances
//! count from the middle of the block, so that sums are plain, and no place outside of the body costs anything. `i` is in the region of `j` exactly
//! when `j` is in that of `i`: the same program sums what particles are over regions, and what regions say over particles.

use std::cell::RefCell;

use pulp::{Simd, WithSimd};

use super::kernel::State;
use super::layout::{CONSTANTS, Layout};
use super::level::Level;
use super::long_slabs::changes_from;
use super::pack::Numbers;
use super::regions::{centers_of, match_regions};
use super::smooth::{RIGID, SUMS, rigid_velocities};
use crate::asset::LatticeAsset;

/// Slots of an arena.
const SLOTS: usize = 4096;
/// The numbers of a slot: for positions `m̃ x` and its sums times x, y, z, four each, the last unused; for transforms τ and the columns of R.
type Wide = [f32; 16];
/// Longest half-width.
pub(crate) const WIDEST: usize = 3;
/// Particles that go from slots to planes together.
const BLOCK: usize = 16;

/// How to sum over the regions of a small body.
#[derive(Debug, Clone)]
pub(crate) struct Compact {
    /// `2w + 1`, the slots of an instruction
    ways: usize,
    program: Vec<u16>,
    /// slot of the sum of each particle's region
    cubes: Vec<u16>,
    /// of each particle, cells from the middle of the block
    sites: Vec<[f32; 3]>,
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
        let site = |site: &[u16; 3]| [0, 1, 2].map(|k| f32::from(site[k]) - middle[k]);
        let regions = asset.region_of.iter();
        Some(Self {
            ways: writer.ways,
            program: writer.program,
            cubes: regions.map(|&region| cubes[region as usize]).collect(),
            sites: asset.sites.iter().map(site).collect(),
        })
    }

    /// Has `constants` give the centres of regions from the middle of the block instead of from their particles.
    pub fn shift_centers(&self, layout: &Layout, constants: &mut [f32]) {
        for axis in 0..3 {
            let centers = &mut constants[(2 + axis) * layout.plane..][..layout.plane];
            for (center, site) in centers.iter_mut().zip(&self.sites) {
                *center += site[axis];
            }
        }
    }

    /// Writes goal minus position to the offsets of `state` and its turned rotations.
    pub fn goals(&self, level: Level, layout: &Layout, constants: &[f32], state: &mut State) {
        with_scratch(layout, |scratch| {
            level.run(Goals {
                compact: self,
                layout,
                constants,
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
        constants: &[f32],
        state: &State,
        velocities: &[f32],
        changes: &mut [f32],
    ) {
        with_scratch(layout, |scratch| {
            level.run(Smooth {
                compact: self,
                layout,
                constants,
                state,
                velocities,
                changes,
                scratch,
            });
        });
    }

    /// Runs the program on the first `LANES` numbers of the slots.
    #[inline(always)]
    fn run<const LANES: usize>(&self, arena: &mut [Wide; SLOTS]) {
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

    /// Copies numbers `PICK` of the particles' sums to planes.
    #[inline(always)]
    fn to_planes<const COUNT: usize>(
        &self,
        arena: &[Wide; SLOTS],
        plane: usize,
        pick: [usize; COUNT],
        planes: &mut [f32],
    ) {
        for (block, slots) in self.cubes.chunks(BLOCK).enumerate() {
            let mut rows = [&arena[0]; BLOCK];
            for (row, &slot) in rows.iter_mut().zip(slots) {
                *row = &arena[usize::from(slot) % SLOTS];
            }
            let planes = planes.chunks_exact_mut(plane).zip(pick);
            for (plane, c) in planes {
                let (blocks, _) = plane.as_chunks_mut::<BLOCK>();
                for (to, row) in blocks[block].iter_mut().zip(rows) {
                    *to = row[c];
                }
            }
        }
    }
}

/// What a thread needs to work on one body after the other.
struct Scratch {
    layout: Layout,
    arena: Box<[Wide; SLOTS]>,
    sums: Numbers,
    said: Numbers,
}

/// Calls `work` with this thread's memory for `layout`.
fn with_scratch(layout: &Layout, work: impl FnOnce(&mut Scratch)) {
    thread_local! {
        static SCRATCH: RefCell<Option<Scratch>> = const { RefCell::new(None) };
    }
    SCRATCH.with_borrow_mut(|kept| {
        let mut scratch = match kept.take() {
            Some(scratch) if scratch.layout == *layout => scratch,
            _ => Scratch {
                arena: Box::new([[0.0; 16]; SLOTS]),
                sums: Numbers::zeros(SUMS * layout.plane),
                said: Numbers::zeros(SUMS * layout.plane),
                layout: layout.clone(),
            },
        };
        work(&mut scratch);
        *kept = Some(scratch);
    });
}

/// Numbers of a slot in the order of the planes of moments.
const MOMENTS: [usize; SUMS] = [0, 1, 2, 4, 8, 12, 5, 9, 13, 6, 10, 14];
const IN_ORDER: [usize; SUMS] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
const RIGID_IN_ORDER: [usize; RIGID] = [0, 1, 2, 3, 4, 5];

struct Goals<'a> {
    compact: &'a Compact,
    layout: &'a Layout,
    constants: &'a [f32],
    state: &'a mut State,
    scratch: &'a mut Scratch,
}

impl WithSimd for Goals<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self {
            compact,
            layout,
            constants,
            state,
            scratch,
        } = self;
        let plane = layout.plane;
        let (sites, count) = (&compact.sites, compact.cubes.len());
        let Scratch {
            arena, sums, said, ..
        } = scratch;
        let [xs, ys, zs] = three(&state.positions, plane);
        let slots = arena[1..].iter_mut().zip(sites).zip(&constants[..plane]);
        for (p, ((slot, site), share)) in slots.enumerate() {
            let plain = [xs[p] * share, ys[p] * share, zs[p] * share, 0.0];
            for k in 0..4 {
                slot[k] = plain[k];
                slot[4 + k] = plain[k] * site[0];
                slot[8 + k] = plain[k] * site[1];
                slot[12 + k] = plain[k] * site[2];
            }
        }
        compact.run::<16>(arena);
        compact.to_planes(arena, plane, MOMENTS, sums);
        let (old, new) = (&state.rotations, &mut state.turned);
        match_regions(simd, layout, constants, sums, old, new, said);
        if !state.centers.is_empty() {
            centers_of(simd, plane, constants, sums, &mut state.centers);
        }
        let (blocks, _) = arena[1..].as_chunks_mut::<BLOCK>();
        for (block, slots) in blocks.iter_mut().enumerate().take(count.div_ceil(BLOCK)) {
            for (plane, c) in said.chunks_exact(plane).zip(MOMENTS) {
                let (lines, _) = plane.as_chunks::<BLOCK>();
                for (slot, value) in slots.iter_mut().zip(lines[block]) {
                    slot[c] = value;
                }
            }
        }
        compact.run::<16>(arena);
        let inverse = &constants[5 * plane..][..plane];
        let (ox, rest) = state.offsets.split_at_mut(plane);
        let (oy, oz) = rest.split_at_mut(plane);
        for (p, (&cube, site)) in compact.cubes.iter().zip(sites).enumerate() {
            let sum = &arena[usize::from(cube) % SLOTS];
            let mut goal = [0.0; 4];
            for k in 0..4 {
                goal[k] =
                    sum[k] + sum[4 + k] * site[0] + sum[8 + k] * site[1] + sum[12 + k] * site[2];
            }
            ox[p] = goal[0] * inverse[p] - xs[p];
            oy[p] = goal[1] * inverse[p] - ys[p];
            oz[p] = goal[2] * inverse[p] - zs[p];
        }
    }
}

struct Smooth<'a> {
    compact: &'a Compact,
    layout: &'a Layout,
    constants: &'a [f32],
    state: &'a State,
    velocities: &'a [f32],
    changes: &'a mut [f32],
    scratch: &'a mut Scratch,
}

impl WithSimd for Smooth<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self {
            compact,
            layout,
            constants,
            state,
            velocities,
            changes,
            scratch,
        } = self;
        let plane = layout.plane;
        let count = compact.cubes.len();
        let Scratch {
            arena, sums, said, ..
        } = scratch;
        let [xs, ys, zs] = three(&state.positions, plane);
        let [us, vs, ws] = three(velocities, plane);
        let slots = arena[1..].iter_mut().zip(&constants[..plane]).take(count);
        for (p, (slot, share)) in slots.enumerate() {
            let (x, y, z) = (xs[p], ys[p], zs[p]);
            let (a, b, c) = (us[p] * share, vs[p] * share, ws[p] * share);
            let (mx, my, mz) = (x * share, y * share, z * share);
            *slot = [
                a,
                b,
                c,
                y * c - z * b,
                z * a - x * c,
                x * b - y * a,
                mx * x,
                mx * y,
                mx * z,
                my * y,
                my * z,
                mz * z,
                0.0,
                0.0,
                0.0,
                0.0,
            ];
        }
        compact.run::<16>(arena);
        compact.to_planes(arena, plane, IN_ORDER, sums);
        rigid_velocities(simd, layout, constants, &state.centers, sums, said);
        let (blocks, _) = arena[1..].as_chunks_mut::<BLOCK>();
        for (block, slots) in blocks.iter_mut().enumerate().take(count.div_ceil(BLOCK)) {
            for (c, plane) in said.chunks_exact(plane).enumerate().take(RIGID) {
                let (lines, _) = plane.as_chunks::<BLOCK>();
                for (slot, value) in slots.iter_mut().zip(lines[block]) {
                    slot[c] = value;
                }
            }
        }
        compact.run::<8>(arena);
        compact.to_planes(arena, plane, RIGID_IN_ORDER, sums);
        let inverse = &constants[5 * plane..CONSTANTS * plane];
        let moving = (&*state.positions, velocities);
        changes_from(simd, plane, inverse, moving, sums, changes);
    }
}

/// Three planes.
#[inline(always)]
fn three(from: &[f32], plane: usize) -> [&[f32]; 3] {
    let (x, rest) = from.split_at(plane);
    let (y, z) = rest.split_at(plane);
    [x, y, z]
}
