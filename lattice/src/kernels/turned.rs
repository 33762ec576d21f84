//! Window sums along x and y of whole planes, at a cost that does not depend on the length of the window.
//!
//! Both run down columns of vectors (see [`super::columns`]). Along y the lanes are neighbours along x and rows are read and written where they
//! are. Along x a plane is turned in square blocks of registers first, so that the lanes are neighbours along y. Rows follow each other without
//! gaps: the last vector of a row ends in the next one, which is written later.

#![expect(
    clippy::needless_range_loop,
    reason = "blocks of fixed size stay in registers when indexed"
)]

use pulp::Simd;

use super::columns::{Sink, TOGETHER, Triple, sum, sum_and_ramp, sum_less_ramp};
use super::pack::{LINE, Numbers, packs, packs_mut};
use super::turn::turn;

/// A plane of `ny` rows of `nx` sites that begin `pitch` numbers apart, a line or more, and windows of half-width `w`.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Extent {
    pub nx: usize,
    pub ny: usize,
    pub pitch: usize,
    pub w: usize,
}

/// Three planes that begin at `at` and lie `step` numbers apart.
#[derive(Clone, Copy)]
pub(crate) struct Planes<'a> {
    pub numbers: &'a [f32],
    pub at: usize,
    pub step: usize,
}

/// [`Planes`] to write to.
pub(crate) struct PlanesMut<'a> {
    pub numbers: &'a mut [f32],
    pub at: usize,
    pub step: usize,
}

impl<'a> PlanesMut<'a> {
    pub fn new(numbers: &'a mut [f32], at: usize, step: usize) -> Self {
        Self { numbers, at, step }
    }
}

/// Memory of the passes: columns along x in and out, ends of blocks, planes between the passes, cut into strips as wide as a
/// vector, and columns along y.
#[derive(Debug, Clone, Default)]
pub(crate) struct Columns {
    extent: Extent,
    into: [Numbers; 2],
    out: [Numbers; 2],
    ends: Numbers,
    strips: [Numbers; 2],
    column: [Numbers; 2],
}

/// The same for an instruction set.
struct Memory<'a, S: Simd> {
    into: [&'a mut [Triple<S>]; 2],
    out: [&'a mut [Triple<S>]; 2],
    ends: &'a mut [[Triple<S>; 2]],
    strips: [&'a mut [Triple<S>]; 2],
    column: [&'a mut [Triple<S>]; 2],
}

#[inline(always)]
fn triples<S: Simd>(numbers: &mut [f32], count: usize) -> &mut [Triple<S>] {
    let count = TOGETHER * count * S::F32_LANES;
    bytemuck::cast_slice_mut(packs_mut::<S>(numbers, 0, count))
}

impl Columns {
    pub fn new(extent: Extent) -> Self {
        let [across, rows] = [extent.nx, extent.ny].map(|n| n.next_multiple_of(LINE));
        let zeros = |count: usize| Numbers::zeros(TOGETHER * count);
        Self {
            extent,
            into: [zeros(across * LINE), zeros(across * LINE)],
            out: [zeros(across * LINE), zeros(across * LINE)],
            ends: zeros(2 * (2 * extent.w + 1) * LINE),
            strips: [zeros(across * rows), zeros(across * rows)],
            column: [zeros(rows * LINE), zeros(rows * LINE)],
        }
    }

    #[inline(always)]
    fn memory<S: Simd>(&mut self) -> (Extent, Memory<'_, S>) {
        let Extent { nx, ny, w, .. } = self.extent;
        let across = nx.next_multiple_of(S::F32_LANES);
        let strips = across / S::F32_LANES * ny.next_multiple_of(S::F32_LANES);
        let [a, b] = &mut self.into;
        let [c, d] = &mut self.out;
        let [e, f] = &mut self.strips;
        let [column, ramp] = &mut self.column;
        let memory = Memory {
            into: [triples::<S>(a, across), triples::<S>(b, across)],
            out: [triples::<S>(c, across), triples::<S>(d, across)],
            ends: bytemuck::cast_slice_mut(triples::<S>(&mut self.ends, 2 * (2 * w + 1))),
            strips: [triples::<S>(e, strips), triples::<S>(f, strips)],
            column: [triples::<S>(column, ny), triples::<S>(ramp, ny)],
        };
        (self.extent, memory)
    }

    /// `to = Σ Σ from`
    #[inline(always)]
    pub fn sum<S: Simd>(&mut self, simd: S, from: Planes<'_>, mut to: PlanesMut<'_>) {
        let (extent, memory) = self.memory::<S>();
        let Extent { nx, w, .. } = extent;
        let [into, _] = memory.into;
        let [out, _] = memory.out;
        let [strips, _] = memory.strips;
        for y in extent.groups::<S>() {
            extent.rows_in(simd, from, y, into);
            sum(simd, w, &into[..nx], out.iter_mut());
            extent.strips_out(simd, out, y, strips);
        }
        for x in extent.strips::<S>().rev() {
            sum(
                simd,
                w,
                extent.strip::<S>(strips, x),
                extent.put::<S>(&mut to, x),
            );
        }
    }

    /// `to = Σ Σ from` and the ramps along x and y, with each vector's ramps in the three planes from `ramps` on.
    #[inline(always)]
    pub fn sum_and_ramps<S: Simd>(
        &mut self,
        simd: S,
        from: Planes<'_>,
        mut to: PlanesMut<'_>,
        ramps: &mut [f32],
    ) {
        let (extent, memory) = self.memory::<S>();
        let Extent { nx, w, .. } = extent;
        let [into, _] = memory.into;
        let [out, ramp] = memory.out;
        let [strips, ramp_strips] = memory.strips;
        let mut ramps = PlanesMut::new(ramps, to.step, 3 * to.step);
        for y in extent.groups::<S>() {
            extent.rows_in(simd, from, y, into);
            let outs = (out.iter_mut(), ramp.iter_mut());
            sum_and_ramp(simd, w, &into[..nx], outs.0, outs.1, memory.ends);
            extent.strips_out(simd, out, y, strips);
            extent.strips_out(simd, ramp, y, ramp_strips);
        }
        for x in extent.strips::<S>().rev() {
            let strip = extent.strip::<S>(strips, x);
            let (to, ramps) = (extent.put::<S>(&mut to, x), extent.put::<S>(&mut ramps, x));
            sum_and_ramp(simd, w, strip, to, ramps, memory.ends);
        }
        ramps.at = 0;
        for x in extent.strips::<S>().rev() {
            let strip = extent.strip::<S>(ramp_strips, x);
            sum(simd, w, strip, extent.put::<S>(&mut ramps, x));
        }
    }

    /// `to = Σ Σ summed` less the ramps along x and y of `ramped`.
    #[inline(always)]
    pub fn sum_less_ramps<S: Simd>(
        &mut self,
        simd: S,
        summed: Planes<'_>,
        [ramped_x, ramped_y]: [Planes<'_>; 2],
        mut to: PlanesMut<'_>,
    ) {
        let (extent, memory) = self.memory::<S>();
        let Extent { nx, w, .. } = extent;
        let [into, into_ramp] = memory.into;
        let [out, _] = memory.out;
        let [strips, ramp_strips] = memory.strips;
        let [column, ramp] = memory.column;
        for x in extent.strips::<S>() {
            extent.get::<S>(summed, x, column);
            extent.get::<S>(ramped_y, x, ramp);
            let strip = extent.strip_mut::<S>(strips, x).iter_mut();
            sum_less_ramp(simd, w, (&*column, &*ramp), strip, memory.ends);
        }
        for x in extent.strips::<S>() {
            extent.get::<S>(ramped_x, x, column);
            let strip = extent.strip_mut::<S>(ramp_strips, x).iter_mut();
            sum(simd, w, column, strip);
        }
        for y in extent.groups::<S>() {
            extent.strips_in(simd, strips, y, into);
            extent.strips_in(simd, ramp_strips, y, into_ramp);
            let both = (&into[..nx], &into_ramp[..nx]);
            sum_less_ramp(simd, w, both, out.iter_mut(), memory.ends);
            extent.rows_out(simd, out, y, &mut to);
        }
    }
}

/// A strip of three planes, each as long, and where its next row begins.
struct Rows<'a> {
    planes: [&'a mut [f32]; TOGETHER],
    next: usize,
    pitch: usize,
}

impl<S: Simd> Sink<S> for Rows<'_> {
    #[inline(always)]
    fn put(&mut self, values: Triple<S>) {
        for c in 0..TOGETHER {
            packs_mut::<S>(self.planes[c], self.next, S::F32_LANES)[0] = values[c];
        }
        self.next += self.pitch;
    }
}

impl Extent {
    /// First rows of the groups that are turned together.
    #[inline(always)]
    fn groups<S: Simd>(self) -> impl Iterator<Item = usize> {
        (0..self.ny).step_by(S::F32_LANES)
    }

    /// First columns of the strips.
    #[inline(always)]
    fn strips<S: Simd>(self) -> impl DoubleEndedIterator<Item = usize> {
        (0..self.nx).step_by(S::F32_LANES)
    }

    /// Rows of a strip.
    #[inline(always)]
    fn rows<S: Simd>(self) -> usize {
        self.ny.next_multiple_of(S::F32_LANES)
    }

    #[inline(always)]
    fn strip<S: Simd>(self, strips: &[Triple<S>], x: usize) -> &[Triple<S>] {
        &strips[x / S::F32_LANES * self.rows::<S>()..][..self.ny]
    }

    #[inline(always)]
    fn strip_mut<S: Simd>(self, strips: &mut [Triple<S>], x: usize) -> &mut [Triple<S>] {
        &mut strips[x / S::F32_LANES * self.rows::<S>()..][..self.ny]
    }

    /// Copies a strip of planes.
    #[inline(always)]
    fn get<S: Simd>(self, from: Planes<'_>, x: usize, to: &mut [Triple<S>]) {
        for c in 0..TOGETHER {
            let rows = from.numbers[from.at + c * from.step + x..].chunks(self.pitch);
            for (row, to) in rows.zip(&mut *to) {
                to[c] = packs::<S>(row, 0, S::F32_LANES)[0];
            }
        }
    }

    /// Numbers from the beginning of the first of `rows` rows of a strip to the end of the last.
    #[inline(always)]
    fn span<S: Simd>(self, rows: usize) -> usize {
        (rows - 1) * self.pitch + S::F32_LANES
    }

    /// What writes a strip of planes.
    #[inline(always)]
    fn put<'a, S: Simd>(self, to: &'a mut PlanesMut<'_>, x: usize) -> Rows<'a> {
        let span = self.span::<S>(self.ny);
        let (first, rest) = to.numbers[to.at + x..].split_at_mut(to.step);
        let (second, third) = rest.split_at_mut(to.step);
        Rows {
            planes: [&mut first[..span], &mut second[..span], &mut third[..span]],
            next: 0,
            pitch: self.pitch,
        }
    }

    /// Rows `y ..` of planes as columns.
    #[inline(always)]
    fn rows_in<S: Simd>(self, simd: S, from: Planes<'_>, y: usize, to: &mut [Triple<S>]) {
        let lanes = S::F32_LANES;
        let rows = lanes.min(self.ny - y);
        for x in self.strips::<S>() {
            let to = &mut to[x..x + lanes];
            for c in 0..TOGETHER {
                let mut block = [simd.splat_f32s(0.0); LINE];
                let at = from.at + c * from.step + y * self.pitch + x;
                let plane = &from.numbers[at..][..self.span::<S>(rows)];
                if rows == lanes {
                    for k in 0..lanes {
                        block[k] = packs::<S>(plane, k * self.pitch, lanes)[0];
                    }
                } else {
                    for k in 0..rows {
                        block[k] = packs::<S>(plane, k * self.pitch, lanes)[0];
                    }
                }
                let block = turn(simd, block);
                for k in 0..lanes {
                    to[k][c] = block[k];
                }
            }
        }
    }

    /// Columns of the rows `y ..` to planes.
    #[inline(always)]
    fn rows_out<S: Simd>(self, simd: S, from: &[Triple<S>], y: usize, to: &mut PlanesMut<'_>) {
        let lanes = S::F32_LANES;
        let rows = lanes.min(self.ny - y);
        for x in self.strips::<S>().rev() {
            let from = &from[x..x + lanes];
            for c in 0..TOGETHER {
                let mut block = [simd.splat_f32s(0.0); LINE];
                for k in 0..lanes {
                    block[k] = from[k][c];
                }
                let block = turn(simd, block);
                let at = to.at + c * to.step + y * self.pitch + x;
                let plane = &mut to.numbers[at..][..self.span::<S>(rows)];
                if rows == lanes {
                    for k in 0..lanes {
                        packs_mut::<S>(plane, k * self.pitch, lanes)[0] = block[k];
                    }
                } else {
                    for k in 0..rows {
                        packs_mut::<S>(plane, k * self.pitch, lanes)[0] = block[k];
                    }
                }
            }
        }
    }

    /// Columns of the rows `y ..` to strips.
    #[inline(always)]
    fn strips_out<S: Simd>(self, simd: S, from: &[Triple<S>], y: usize, to: &mut [Triple<S>]) {
        let lanes = S::F32_LANES;
        for x in self.strips::<S>() {
            let from = &from[x..x + lanes];
            let to = &mut to[x / lanes * self.rows::<S>() + y..][..lanes];
            turn_all(simd, from, to);
        }
    }

    /// Rows `y ..` of strips as columns.
    #[inline(always)]
    fn strips_in<S: Simd>(self, simd: S, from: &[Triple<S>], y: usize, to: &mut [Triple<S>]) {
        let lanes = S::F32_LANES;
        for x in self.strips::<S>() {
            let from = &from[x / lanes * self.rows::<S>() + y..][..lanes];
            turn_all(simd, from, &mut to[x..x + lanes]);
        }
    }
}

/// Turns a block of each of the columns that go together.
#[inline(always)]
fn turn_all<S: Simd>(simd: S, from: &[Triple<S>], to: &mut [Triple<S>]) {
    for c in 0..TOGETHER {
        let mut block = [simd.splat_f32s(0.0); LINE];
        for k in 0..S::F32_LANES {
            block[k] = from[k][c];
        }
        let block = turn(simd, block);
        for k in 0..S::F32_LANES {
            to[k][c] = block[k];
        }
    }
}
