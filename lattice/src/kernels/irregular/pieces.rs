//! Sums of pieces: all sixteen numbers of a group side by side, on whole cache lines.

use pulp::{Simd, WithSimd, bytemuck};

use crate::kernels::irregular::group::{Group, Quad, ZERO_GROUP};
use crate::kernels::vector::pack::OnLine;

/// A part of a piece, and the offset of its first particle from that of the piece, cells.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part {
    pub(crate) number: u32,
    pub(crate) shift: [f32; 3],
}

/// Lists of the parts of pieces.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pieces {
    pub(crate) ends: Vec<u32>,
    pub(crate) parts: Vec<Part>,
}

impl Pieces {
    #[inline(always)]
    fn parts_of(&self, piece: usize) -> &[Part] {
        let start = if piece == 0 { 0 } else { self.ends[piece - 1] };
        &self.parts[start as usize..self.ends[piece] as usize]
    }

    pub(crate) fn close(&mut self) {
        self.ends.push(self.parts.len() as u32);
    }
}

/// How a part enters the sum of a piece.
pub(crate) trait Weighting: Copy + Send + Sync {
    fn add<S: Simd>(self, simd: S, sum: &mut Sum<S>, part: &Group, shift: &[f32; 3]);
    /// Adds the numbers of one particle, number by number.
    fn add_particle(self, sum: &mut Group, value: &Group, shift: [f32; 3]);
}

/// Moments of positions: all groups of four are summed, and the first one, weighted by distances, is added to the others.
#[derive(Clone, Copy)]
pub(crate) struct Distances;

/// Transforms: the first group of four less the others times distances.
#[derive(Clone, Copy)]
pub(crate) struct Places;

/// Every number is summed.
#[derive(Clone, Copy)]
pub(crate) struct Plain;

/// A running sum: the vectors of a group (as many as hold sixteen numbers), and its first four numbers if they are summed separately.
pub(crate) struct Sum<S: Simd> {
    vectors: [S::f32s; NUMBERS],
    first: Quad,
}

/// Numbers of a group.
const NUMBERS: usize = 16;

impl<S: Simd> Sum<S> {
    const VECTORS: usize = NUMBERS / S::F32_LANES;

    #[inline(always)]
    fn zero(simd: S) -> Self {
        Self {
            vectors: [simd.splat_f32s(0.0); NUMBERS],
            first: [0.0; 4],
        }
    }

    #[inline(always)]
    fn add_vectors(&mut self, simd: S, part: &[S::f32s]) {
        let mut k = 0;
        while k < Self::VECTORS {
            self.vectors[k] = simd.add_f32s(self.vectors[k], part[k]);
            k += 1;
        }
    }

    #[inline(always)]
    fn store(&self, out: &mut Group) {
        let (to, _) = S::as_mut_simd_f32s(out.as_flattened_mut());
        let mut k = 0;
        while k < Self::VECTORS {
            to[k] = self.vectors[k];
            k += 1;
        }
    }
}

#[inline(always)]
fn vectors_of<S: Simd>(group: &Group) -> &[S::f32s] {
    S::as_simd_f32s(group.as_flattened()).0
}

/// One group of four numbers after the other as vectors.
#[inline(always)]
fn from_quads<S: Simd>(simd: S, quads: [Quad; 4]) -> [S::f32s; NUMBERS] {
    let mut vectors = [simd.splat_f32s(0.0); NUMBERS];
    let rows: &mut [Quad] = bytemuck::cast_slice_mut(&mut vectors[..Sum::<S>::VECTORS]);
    let mut k = 0;
    while k < 4 {
        rows[k] = quads[k];
        k += 1;
    }
    vectors
}

impl Weighting for Distances {
    #[inline(always)]
    fn add<S: Simd>(self, simd: S, sum: &mut Sum<S>, part: &Group, shift: &[f32; 3]) {
        sum.add_vectors(simd, vectors_of::<S>(part));
        let heads = from_quads(simd, [part[0]; 4]);
        let [x, y, z] = *shift;
        let factors = from_quads(simd, [[0.0; 4], [x; 4], [y; 4], [z; 4]]);
        let mut k = 0;
        while k < Sum::<S>::VECTORS {
            let product = simd.mul_f32s(heads[k], factors[k]);
            sum.vectors[k] = simd.add_f32s(sum.vectors[k], product);
            k += 1;
        }
    }

    #[inline(always)]
    fn add_particle(self, sum: &mut Group, [value, ..]: &Group, shift: [f32; 3]) {
        for (c, value) in value[..3].iter().enumerate() {
            sum[0][c] += value;
            for axis in 0..3 {
                sum[1 + axis][c] += value * shift[axis];
            }
        }
    }
}

impl Weighting for Places {
    #[inline(always)]
    fn add<S: Simd>(self, simd: S, sum: &mut Sum<S>, part: &Group, shift: &[f32; 3]) {
        let mut k = 0;
        while k < 4 {
            sum.first[k] += part[0][k];
            k += 1;
        }
        let mut axis = 0;
        while axis < 3 {
            let mut k = 0;
            while k < 4 {
                sum.first[k] += part[axis + 1][k] * -shift[axis];
                k += 1;
            }
            axis += 1;
        }
        sum.add_vectors(simd, vectors_of::<S>(part));
        // the first four numbers were summed separately
        let rows: &mut [Quad] = bytemuck::cast_slice_mut(&mut sum.vectors[..Sum::<S>::VECTORS]);
        rows[0] = sum.first;
    }

    #[inline(always)]
    fn add_particle(self, sum: &mut Group, [tau, columns @ ..]: &Group, shift: [f32; 3]) {
        for (c, tau) in tau[..3].iter().enumerate() {
            sum[0][c] += tau
                - columns[0][c] * shift[0]
                - columns[1][c] * shift[1]
                - columns[2][c] * shift[2];
        }
    }
}

impl Weighting for Plain {
    #[inline(always)]
    fn add<S: Simd>(self, simd: S, sum: &mut Sum<S>, part: &Group, _: &[f32; 3]) {
        sum.add_vectors(simd, vectors_of::<S>(part));
    }

    #[inline(always)]
    fn add_particle(self, sum: &mut Group, value: &Group, _: [f32; 3]) {
        for (sum, value) in sum.iter_mut().zip(value) {
            for k in 0..4 {
                sum[k] += value[k];
            }
        }
    }
}

/// Sums of runs along x: first source and number of sources.
pub(crate) struct Bars<'a, W> {
    pub(crate) weighting: W,
    pub(crate) bars: &'a [[u32; 2]],
    pub(crate) field: &'a [Group],
    pub(crate) out: &'a mut [Group],
}

impl<W: Weighting> WithSimd for Bars<'_, W> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        for (out, &[first, count]) in self.out.iter_mut().zip(self.bars) {
            let mut sum = Sum::zero(simd);
            let values = &self.field[first as usize..(first + count) as usize];
            for (k, value) in values.iter().enumerate() {
                self.weighting
                    .add(simd, &mut sum, value, &[k as f32, 0.0, 0.0]);
            }
            sum.store(out);
        }
    }
}

/// Sums of pieces from the sums of their parts, from piece number `start` on.
pub(crate) struct PieceSums<'a, W> {
    pub(crate) weighting: W,
    pub(crate) start: usize,
    pub(crate) pieces: &'a Pieces,
    pub(crate) from: &'a [Group],
    pub(crate) out: &'a mut [Group],
}

#[inline(always)]
fn assemble<S: Simd, W: Weighting>(
    simd: S,
    weighting: W,
    parts: &[Part],
    from: &[Group],
) -> Sum<S> {
    let mut sum = Sum::zero(simd);
    for part in parts {
        weighting.add(simd, &mut sum, &from[part.number as usize], &part.shift);
    }
    sum
}

impl<W: Weighting> WithSimd for PieceSums<'_, W> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        for (k, out) in self.out.iter_mut().enumerate() {
            assemble(
                simd,
                self.weighting,
                self.pieces.parts_of(self.start + k),
                self.from,
            )
            .store(out);
        }
    }
}

/// Sums of regions about their particles: that of a piece each, shifted.
pub(crate) struct ShiftedSums<'a, W> {
    pub(crate) weighting: W,
    pub(crate) targets: &'a [Part],
    pub(crate) pieces: &'a Pieces,
    pub(crate) from: &'a [Group],
    pub(crate) out: &'a mut [Group],
}

impl<W: Weighting> WithSimd for ShiftedSums<'_, W> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        for (out, target) in self.out.iter_mut().zip(self.targets) {
            let parts = self.pieces.parts_of(target.number as usize);
            let mut whole = OnLine(ZERO_GROUP);
            assemble(simd, self.weighting, parts, self.from).store(&mut whole.0);
            let mut sum = Sum::zero(simd);
            self.weighting.add(simd, &mut sum, &whole.0, &target.shift);
            sum.store(out);
        }
    }
}
