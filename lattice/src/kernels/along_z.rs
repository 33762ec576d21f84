//! Window sums along z of whole slabs: short windows are added up, longer ones slide from slab to slab (Rivers and James 2007, section 4.3) and
//! begin anew every [`RESTART`] slabs, which bounds round-off.

#![expect(
    clippy::needless_range_loop,
    reason = "the same index into several arrays of fixed size"
)]

use pulp::Simd;

use super::layout::Layout;
use super::pack::{Pack, packs, packs_mut, planes_of};
use super::slab::Slab;
use super::slabs::{SECOND, offsets_of};
use super::smooth::{RIGID, SUMS};
use super::window::DIRECT;

/// Sliding sums begin anew at multiples of so many slabs, wherever a part of the slabs begins: threads change no bits. After more slabs thin
/// plates show the round-off.
const RESTART: usize = 4;

/// Vectors whose sums begin anew together, in registers.
const TOGETHER: usize = 4;

/// Slabs at whose multiples a lattice may be cut into parts.
pub(crate) fn alignment(layout: &Layout) -> usize {
    if layout.half_width > DIRECT {
        RESTART
    } else {
        1
    }
}

/// The slabs that windows about one slab run over.
#[derive(Clone, Copy)]
pub(crate) struct AlongZ<'a> {
    pub layout: &'a Layout,
    /// the slab
    pub z: usize,
    /// a plane of zeros
    pub zeros: &'a [f32],
}

impl<'a> AlongZ<'a> {
    fn anew(&self) -> bool {
        self.z.is_multiple_of(RESTART)
    }

    /// The slabs of the window, and where each is from its middle.
    #[inline(always)]
    fn window(&self) -> impl Iterator<Item = (usize, f32)> + use<> {
        let w = self.layout.half_width;
        let (z, end) = (self.z, (self.z + w + 1).min(self.layout.slabs));
        (z.saturating_sub(w)..end).map(move |slab| (slab, slab as f32 - z as f32))
    }

    /// The slab that enters the window and the one that leaves it.
    #[inline(always)]
    fn change(&self) -> [Option<usize>; 2] {
        let w = self.layout.half_width;
        let enters = Some(self.z + w).filter(|&z| z < self.layout.slabs);
        [enters, self.z.checked_sub(w + 1)]
    }

    #[inline(always)]
    fn slab<S: Simd>(
        &self,
        constants: &'a [f32],
        [positions, velocities]: [&'a [f32]; 2],
        slab: Option<usize>,
    ) -> Slab<'a, S> {
        Slab::new(
            self.layout,
            self.zeros,
            constants,
            [positions, velocities],
            slab,
        )
    }

    /// Sums of `m̃ x` in the first three planes of `sums`, and their ramps in the others; `sums` has those of the slab before.
    #[inline(always)]
    pub fn moments<S: Simd>(self, simd: S, constants: &[f32], positions: &[f32], sums: &mut [f32]) {
        match self.layout.half_width {
            1 => return self.short_moments::<S, 1>(simd, constants, positions, sums),
            2 => return self.short_moments::<S, 2>(simd, constants, positions, sums),
            DIRECT => return self.short_moments::<S, DIRECT>(simd, constants, positions, sums),
            _ => {}
        }
        let (plane, w) = (self.layout.plane, self.layout.half_width);
        let out = planes_of::<S, 6>(sums, plane);
        if self.anew() {
            let mut out = out;
            let whole = plane / S::F32_LANES / TOGETHER * TOGETHER;
            for j in (0..whole).step_by(TOGETHER) {
                self.new_moments::<S, TOGETHER>(simd, constants, positions, j, &mut out);
            }
            for j in whole..plane / S::F32_LANES {
                self.new_moments::<S, 1>(simd, constants, positions, j, &mut out);
            }
            return;
        }
        let [enters, leaves] = self
            .change()
            .map(|z| self.slab::<S>(constants, [positions; 2], z));
        let zero = Pack::splat(simd, 0.0);
        let near = Pack::splat(simd, w as f32);
        let far = Pack::splat(simd, (w + 1) as f32);
        for j in 0..plane / S::F32_LANES {
            let (enters, leaves) = (enters.field(simd, j), leaves.field(simd, j));
            for c in 0..3 {
                let sum = Pack::new(simd, out[c][j]);
                let ramp = Pack::new(simd, out[3 + c][j]);
                let moved = leaves[c].times_plus(far, enters[c].times_plus(near, zero - sum));
                out[3 + c][j] = (ramp + moved).value;
                out[c][j] = (sum + (enters[c] - leaves[c])).value;
            }
        }
    }

    /// Sums and ramps of the vectors `from .. from + N` of all slabs of the window.
    #[inline(always)]
    fn new_moments<S: Simd, const N: usize>(
        &self,
        simd: S,
        constants: &[f32],
        positions: &[f32],
        from: usize,
        out: &mut [&mut [S::f32s]; 6],
    ) {
        let mut sums = [[Pack::splat(simd, 0.0); 6]; N];
        for (slab, distance) in self.window() {
            let slab = self.slab::<S>(constants, [positions; 2], Some(slab));
            let distance = Pack::splat(simd, distance);
            for n in 0..N {
                let field = slab.field(simd, from + n);
                for c in 0..3 {
                    sums[n][c] = sums[n][c] + field[c];
                    sums[n][3 + c] = field[c].times_plus(distance, sums[n][3 + c]);
                }
            }
        }
        for n in 0..N {
            for c in 0..6 {
                out[c][from + n] = sums[n][c].value;
            }
        }
    }

    #[inline(always)]
    fn short_moments<S: Simd, const W: usize>(
        self,
        simd: S,
        constants: &[f32],
        positions: &[f32],
        sums: &mut [f32],
    ) {
        let plane = self.layout.plane;
        let (middle, sides) = self.sides::<S, W>(constants, [positions; 2]);
        let out = planes_of::<S, 6>(sums, plane);
        for j in 0..plane / S::F32_LANES {
            let mut sums = middle.field(simd, j);
            let mut ramps = [Pack::splat(simd, 0.0); 3];
            for (k, [before, after]) in sides.iter().enumerate() {
                let (before, after) = (before.field(simd, j), after.field(simd, j));
                let distance = Pack::splat(simd, (k + 1) as f32);
                for c in 0..3 {
                    sums[c] = sums[c] + (before[c] + after[c]);
                    ramps[c] = (after[c] - before[c]).times_plus(distance, ramps[c]);
                }
            }
            for c in 0..3 {
                out[c][j] = sums[c].value;
                out[3 + c][j] = ramps[c].value;
            }
        }
    }

    #[inline(always)]
    fn short_motions<S: Simd, const W: usize>(
        self,
        simd: S,
        constants: &[f32],
        motion: [&[f32]; 2],
        sums: &mut [f32],
    ) {
        let plane = self.layout.plane;
        let (middle, sides) = self.sides::<S, W>(constants, motion);
        let out = planes_of::<S, SUMS>(sums, plane);
        for j in 0..plane / S::F32_LANES {
            let mut sums = middle.fields(simd, j);
            for side in &sides {
                for slab in side {
                    let fields = slab.fields(simd, j);
                    for c in 0..SUMS {
                        sums[c] = sums[c] + fields[c];
                    }
                }
            }
            for c in 0..SUMS {
                out[c][j] = sums[c].value;
            }
        }
    }

    /// The slab in the middle of the window, and those at distance 1, 2, ... before and after.
    #[inline(always)]
    fn sides<S: Simd, const W: usize>(
        &self,
        constants: &'a [f32],
        motion: [&'a [f32]; 2],
    ) -> (Slab<'a, S>, [[Slab<'a, S>; 2]; W]) {
        let middle = self.slab::<S>(constants, motion, Some(self.z));
        let mut sides = [[middle; 2]; W];
        for (k, [before, after]) in sides.iter_mut().enumerate() {
            *before = self.slab::<S>(constants, motion, self.z.checked_sub(k + 1));
            let next = Some(self.z + k + 1).filter(|&z| z < self.layout.slabs);
            *after = self.slab::<S>(constants, motion, next);
        }
        (middle, sides)
    }

    /// Channel `c` of a slab in a ring.
    #[inline(always)]
    fn ring<S: Simd>(
        &self,
        ring: &'a [f32],
        channels: usize,
        slab: Option<usize>,
        c: usize,
    ) -> &'a [S::f32s] {
        let plane = self.layout.plane;
        match slab {
            Some(z) => {
                let slot = z % self.layout.ring_slabs();
                packs::<S>(ring, (slot * channels + c) * plane, plane)
            }
            None => packs::<S>(self.zeros, 0, plane),
        }
    }

    /// Goal minus position, from what regions say in a ring of slabs; `sums` has the goals of the slab before and what is ramped.
    #[inline(always)]
    pub fn goals<S: Simd>(
        self,
        simd: S,
        ring: &[f32],
        (inverse, positions): (&[f32], &[f32]),
        sums: &mut [f32],
        out: &mut [f32],
    ) {
        let z = self.z;
        let layout = self.layout;
        let rings = (ring, self.zeros);
        match layout.half_width {
            1 => return offsets_of::<S, 1>(simd, layout, rings, z, inverse, positions, out),
            2 => return offsets_of::<S, 2>(simd, layout, rings, z, inverse, positions, out),
            DIRECT => {
                return offsets_of::<S, DIRECT>(simd, layout, rings, z, inverse, positions, out);
            }
            _ => {}
        }
        let (plane, w) = (layout.plane, layout.half_width);
        let inverse = packs::<S>(inverse, 0, plane);
        for i in 0..3 {
            let (goals, ramped) = sums.split_at_mut(3 * plane);
            let goals = packs_mut::<S>(goals, i * plane, plane);
            let ramped = packs_mut::<S>(ramped, i * plane, plane);
            let of = |slab, c| self.ring::<S>(ring, SECOND, slab, c);
            if self.anew() {
                let whole = goals.len() / TOGETHER * TOGETHER;
                for j in (0..whole).step_by(TOGETHER) {
                    self.new_goals::<S, TOGETHER>(simd, ring, i, j, [&mut *goals, &mut *ramped]);
                }
                for j in whole..goals.len() {
                    self.new_goals::<S, 1>(simd, ring, i, j, [&mut *goals, &mut *ramped]);
                }
            } else {
                let both = |z| of(z, 2 * i).iter().zip(of(z, 2 * i + 1));
                let [enters, leaves] = self.change().map(both);
                let near = Pack::splat(simd, w as f32);
                let far = Pack::splat(simd, (w + 1) as f32);
                for (((goal, sum), enters), leaves) in
                    goals.iter_mut().zip(&mut *ramped).zip(enters).zip(leaves)
                {
                    let old = Pack::new(simd, *sum);
                    let (a, v) = (Pack::new(simd, *enters.0), Pack::new(simd, *enters.1));
                    let (b, u) = (Pack::new(simd, *leaves.0), Pack::new(simd, *leaves.1));
                    // small against the goal, so that only one rounding is of its size
                    let moved = v.times_from(near, old + (a - b));
                    let moved = u.times_from(far, moved);
                    *goal = (Pack::new(simd, *goal) + moved).value;
                    *sum = (old + (v - u)).value;
                }
            }
            let x = packs::<S>(positions, i * plane, plane);
            let out = packs_mut::<S>(out, i * plane, plane);
            for (((out, goal), x), share) in out.iter_mut().zip(&*goals).zip(x).zip(inverse) {
                let goal = Pack::new(simd, *goal) * Pack::new(simd, *share);
                *out = (goal - Pack::new(simd, *x)).value;
            }
        }
    }

    /// Component `i` of goals, and what is ramped, of the vectors `from .. from + N` of all slabs of the window.
    #[inline(always)]
    fn new_goals<S: Simd, const N: usize>(
        &self,
        simd: S,
        ring: &[f32],
        i: usize,
        from: usize,
        out: [&mut [S::f32s]; 2],
    ) {
        let mut sums = [[Pack::splat(simd, 0.0); 2]; N];
        for (slab, distance) in self.window() {
            let [summed, ramped] =
                [2 * i, 2 * i + 1].map(|c| self.ring::<S>(ring, SECOND, Some(slab), c));
            let distance = Pack::splat(simd, distance);
            for n in 0..N {
                let (a, v) = (
                    Pack::new(simd, summed[from + n]),
                    Pack::new(simd, ramped[from + n]),
                );
                sums[n][0] = v.times_from(distance, sums[n][0] + a);
                sums[n][1] = sums[n][1] + v;
            }
        }
        for n in 0..N {
            for c in 0..2 {
                out[c][from + n] = sums[n][c].value;
            }
        }
    }

    /// Sums of the fields of motion; `sums` has those of the slab before.
    #[inline(always)]
    pub fn motions<S: Simd>(
        self,
        simd: S,
        constants: &[f32],
        motion: [&[f32]; 2],
        sums: &mut [f32],
    ) {
        match self.layout.half_width {
            1 => return self.short_motions::<S, 1>(simd, constants, motion, sums),
            2 => return self.short_motions::<S, 2>(simd, constants, motion, sums),
            DIRECT => return self.short_motions::<S, DIRECT>(simd, constants, motion, sums),
            _ => {}
        }
        let plane = self.layout.plane;
        let sums = planes_of::<S, SUMS>(sums, plane);
        let count = plane / S::F32_LANES;
        if self.anew() {
            for (k, (slab, _)) in self.window().enumerate() {
                let slab = self.slab::<S>(constants, motion, Some(slab));
                for j in 0..count {
                    let fields = slab.fields(simd, j);
                    for c in 0..SUMS {
                        let old = match k {
                            0 => Pack::splat(simd, 0.0),
                            _ => Pack::new(simd, sums[c][j]),
                        };
                        sums[c][j] = (old + fields[c]).value;
                    }
                }
            }
            return;
        }
        let [enters, leaves] = self.change().map(|z| self.slab::<S>(constants, motion, z));
        for j in 0..count {
            let (enters, leaves) = (enters.fields(simd, j), leaves.fields(simd, j));
            for c in 0..SUMS {
                let old = Pack::new(simd, sums[c][j]);
                sums[c][j] = (old + (enters[c] - leaves[c])).value;
            }
        }
    }

    /// Sums of what regions say of motion in a ring of slabs; `sums` has those of the slab before.
    #[inline(always)]
    pub fn rigid<S: Simd>(self, simd: S, ring: &[f32], sums: &mut [f32]) {
        let plane = self.layout.plane;
        let zero = Pack::splat(simd, 0.0);
        for c in 0..RIGID {
            let sums = packs_mut::<S>(sums, c * plane, plane);
            let of = |slab| self.ring::<S>(ring, RIGID, slab, c);
            if self.layout.half_width <= DIRECT || self.anew() {
                sums.fill(zero.value);
                for (slab, _) in self.window() {
                    for (sum, v) in sums.iter_mut().zip(of(Some(slab))) {
                        *sum = (Pack::new(simd, *sum) + Pack::new(simd, *v)).value;
                    }
                }
            } else {
                let [enters, leaves] = self.change();
                for ((sum, v), u) in sums.iter_mut().zip(of(enters)).zip(of(leaves)) {
                    let change = Pack::new(simd, *v) - Pack::new(simd, *u);
                    *sum = (Pack::new(simd, *sum) + change).value;
                }
            }
        }
    }
}
