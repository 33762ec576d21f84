//! Goals and smooth velocities of one compact body (see [`crate::kernels::compact::program`]): slots, sums, planes, rotations, and back.

use std::cell::RefCell;

use pulp::{Simd, WithSimd};

use crate::kernels::body::state::State;
use crate::kernels::body::stiffness_weights::apply_weights;
use crate::kernels::compact::program::{Arena, Compact, NONE, SLOTS, gather, scatter};
use crate::kernels::dense::changes::changes_from;
use crate::kernels::matching::motion_fields::fields_of;
use crate::kernels::matching::regions::{centers_of, match_regions};
use crate::kernels::matching::rigid_velocities::rigid_velocities;
use crate::kernels::memory::channels::{INVERSE_COUNT, RIGID, SUMS, TRANSFORM};
use crate::kernels::memory::layout::{Layout, Part};
use crate::kernels::vector::level::Level;
use crate::kernels::vector::pack::{Numbers, Pack, packs, packs_mut};

/// Work space of a thread for one body after the other.
pub(crate) struct Scratch {
    /// places of the layout that the sums are for
    plane: usize,
    arena: Box<Arena>,
    sums: Numbers,
    contributions: Numbers,
}

/// Calls `work` with this thread's work space for `layout`.
fn with_scratch(layout: &Layout, work: impl FnOnce(&mut Scratch)) {
    thread_local! {
        static SCRATCH: RefCell<Option<Scratch>> = const { RefCell::new(None) };
    }
    SCRATCH.with_borrow_mut(|cached| {
        let scratch = cached.get_or_insert_with(|| Scratch {
            plane: 0,
            arena: Box::new(Arena([[0.0; 16]; SLOTS])),
            sums: Numbers::default(),
            contributions: Numbers::default(),
        });
        // bodies of several kinds may take turns
        if scratch.plane != layout.plane {
            scratch.plane = layout.plane;
            scratch.sums.clear_to(SUMS * layout.plane);
            scratch.contributions.clear_to(SUMS * layout.plane);
        }
        work(scratch);
    });
}

/// Planes of moments and of transforms, by the numbers of a slot.
const MOMENTS: [usize; 16] = [0, 1, 2, NONE, 3, 6, 9, NONE, 4, 7, 10, NONE, 5, 8, 11, NONE];
/// Planes of motions, and of rigid motions.
const MOTIONS: [usize; 16] = in_order(SUMS);
const RIGID_MOTIONS: [usize; 16] = in_order(RIGID);

const fn in_order(count: usize) -> [usize; 16] {
    let mut planes = [NONE; 16];
    let mut k = 0;
    while k < count {
        planes[k] = k;
        k += 1;
    }
    planes
}

pub(crate) struct Goals<'a> {
    pub compact: &'a Compact,
    pub layout: &'a Layout,
    pub constants: &'a [f32],
    /// weights of regions; empty for a body of uniform stiffness
    pub weights: &'a [f32],
    pub state: &'a mut State,
    pub scratch: &'a mut Scratch,
}

impl WithSimd for Goals<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self {
            compact,
            layout,
            constants,
            weights,
            state,
            scratch,
        } = self;
        let plane = layout.plane;
        let count = compact.cubes.len();
        let Scratch {
            arena,
            sums,
            contributions,
            ..
        } = scratch;
        let arena = &mut arena.0;
        let zero = simd.splat_f32s(0.0);
        let share = packs::<S>(constants, 0, plane);
        let sites = &compact.sites;
        let sites = [0, 1, 2].map(|k| packs::<S>(&sites[k], 0, sites[k].len()));
        let places = [0, 1, 2].map(|k| packs::<S>(&state.positions, k * plane, plane));
        let slots = arena[1..=count].chunks_mut(S::F32_LANES);
        for (j, slots) in slots.enumerate() {
            let share = Pack::new(simd, share[j]);
            let mut values = [zero; 16];
            for k in 0..3 {
                let plain = Pack::new(simd, places[k][j]) * share;
                values[k] = plain.value;
                for axis in 0..3 {
                    values[4 + 4 * axis + k] = (plain * Pack::new(simd, sites[axis][j])).value;
                }
            }
            scatter(simd, values, slots);
        }
        compact.run::<16>(arena);
        compact.to_planes(simd, arena, plane, &MOMENTS, sums);
        let (old, new) = (&state.rotations, &mut state.rotated);
        match_regions(simd, layout, constants, sums, (old, new), contributions);
        apply_weights(layout, weights, TRANSFORM, contributions);
        let part = Part::whole(layout);
        centers_of(simd, part, constants, sums, &mut state.centers);
        compact.to_slots(simd, contributions, plane, &MOMENTS, arena);
        compact.run::<16>(arena);
        let inverse = packs::<S>(constants, INVERSE_COUNT * plane, plane);
        for (j, cubes) in compact.cubes.chunks(S::F32_LANES).enumerate() {
            let sums = gather(simd, arena, cubes);
            for k in 0..3 {
                let mut goal = Pack::new(simd, sums[k]);
                for axis in 0..3 {
                    let site = Pack::new(simd, sites[axis][j]);
                    goal = Pack::new(simd, sums[4 + 4 * axis + k]).times_plus(site, goal);
                }
                let offset = goal * Pack::new(simd, inverse[j]) - Pack::new(simd, places[k][j]);
                packs_mut::<S>(&mut state.offsets, k * plane, plane)[j] = offset.value;
            }
        }
    }
}

pub(crate) struct Smooth<'a> {
    pub compact: &'a Compact,
    pub layout: &'a Layout,
    pub constants: &'a [f32],
    /// weights of regions; empty for a body of uniform stiffness
    pub weights: &'a [f32],
    pub state: &'a State,
    pub velocities: &'a [f32],
    pub changes: &'a mut [f32],
    pub scratch: &'a mut Scratch,
}

impl WithSimd for Smooth<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self {
            compact,
            layout,
            constants,
            weights,
            state,
            velocities,
            changes,
            scratch,
        } = self;
        let plane = layout.plane;
        let count = compact.cubes.len();
        let Scratch {
            arena,
            sums,
            contributions,
            ..
        } = scratch;
        let arena = &mut arena.0;
        let share = packs::<S>(constants, 0, plane);
        let places = [0, 1, 2].map(|k| packs::<S>(&state.positions, k * plane, plane));
        let speeds = [0, 1, 2].map(|k| packs::<S>(velocities, k * plane, plane));
        let zero = simd.splat_f32s(0.0);
        let slots = arena[1..=count].chunks_mut(S::F32_LANES);
        for (j, slots) in slots.enumerate() {
            let at = |planes: [&[S::f32s]; 3]| planes.map(|plane| Pack::new(simd, plane[j]));
            let fields = fields_of(Pack::new(simd, share[j]), at(places), at(speeds));
            let mut values = [zero; 16];
            for (value, field) in values.iter_mut().zip(fields) {
                *value = field.value;
            }
            scatter(simd, values, slots);
        }
        compact.run::<16>(arena);
        compact.to_planes(simd, arena, plane, &MOTIONS, sums);
        rigid_velocities(simd, layout, constants, &state.centers, sums, contributions);
        apply_weights(layout, weights, RIGID, contributions);
        compact.to_slots(simd, contributions, plane, &RIGID_MOTIONS, arena);
        compact.run::<8>(arena);
        compact.to_planes(simd, arena, plane, &RIGID_MOTIONS, sums);
        let inverse = &constants[INVERSE_COUNT * plane..][..plane];
        let moving = (&*state.positions, velocities);
        changes_from(simd, plane, inverse, moving, sums, changes);
    }
}

impl Compact {
    /// Writes goal minus position to the offsets of `state` and the new rotations.
    pub fn goals(
        &self,
        level: Level,
        layout: &Layout,
        (constants, weights): (&[f32], &[f32]),
        state: &mut State,
    ) {
        with_scratch(layout, |scratch| {
            level.run_vectors(Goals {
                compact: self,
                layout,
                constants,
                weights,
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
        (constants, weights): (&[f32], &[f32]),
        state: &State,
        velocities: &[f32],
        changes: &mut [f32],
    ) {
        with_scratch(layout, |scratch| {
            level.run_vectors(Smooth {
                compact: self,
                layout,
                constants,
                weights,
                state,
                velocities,
                changes,
                scratch,
            });
        });
    }
}
