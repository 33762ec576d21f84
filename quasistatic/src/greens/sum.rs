//! Sums of dense columns, limited by memory: the kernel behind [`GreensMatrix::add_columns`](super::GreensMatrix::add_columns).
//!
//! Columns lie scattered over a table far larger than any cache, so that reading them takes the time. About eight nodes are read side by side as
//! parallel streams. The three columns of a node are read one after the other, because they are contiguous.
//!
//! Measured: where a stream ends, the hardware prefetchers have read about twenty cache lines too far, which costs 4 % on one core. Six streams leave a few
//! percent of the bandwidth of two cores unused, ten and more leave one to three percent, and fifteen confuse the prefetchers, as do several vectors of a stream
//! in a row. Each thread reads its rows of a column in one go, because every gap ends a stream and starts another. With large pages (`table`) this
//! comes within a few percent of the memory bandwidth. Dividing forces instead of rows among threads, or prefetching by hand, gains nothing.

use std::hint::spin_loop;
use std::sync::atomic::{AtomicUsize, Ordering};

use pliant_compression::Number;
use pliant_core::math::Vec3;
use pliant_core::simd::arch;
use pulp::bytemuck::Pod;
use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

/// Most rows that are summed together, so that their running sums stay in the second-level cache.
const MAX_ROWS: usize = 16_384;
/// Sizes of smaller buffers for fewer rows, because a thread clears its whole buffer.
const SMALL_BUFFER_ROWS: usize = 1024;
const MEDIUM_BUFFER_ROWS: usize = 8192;
/// Most nodes that are read side by side.
const MAX_NODES: usize = 10;
/// How often a thread spins at most until the others are done, about 40 µs, before it sleeps, because waking up takes long.
const MAX_SPINS: usize = 1000;
/// Number of products below which one thread is faster than several.
const MIN_PARALLEL_PRODUCTS: usize = 300_000;

/// The number type of columns.
pub(crate) trait ColumnNumber: Number + Pod {
    const ZERO: Self;
    /// `sums[r] += Σ_k factors[k] columns[k][r]`, one after the other; all slices have the same length.
    fn add_streams<S: Simd, const STREAMS: usize>(
        simd: S,
        columns: [&[Self]; STREAMS],
        factors: [Self; STREAMS],
        sums: &mut [Self],
    );
}

macro_rules! number {
    ($type:ty, $lanes:ident, $lanes_mut:ident, $splat:ident, $mul_add:ident) => {
        impl ColumnNumber for $type {
            const ZERO: Self = 0.0;
            #[inline(always)]
            fn add_streams<S: Simd, const STREAMS: usize>(
                simd: S,
                columns: [&[Self]; STREAMS],
                factors: [Self; STREAMS],
                sums: &mut [Self],
            ) {
                let (vectors, last) = S::$lanes_mut(sums);
                let mut streams: [&[_]; STREAMS] = [&[]; STREAMS];
                let mut ends: [&[Self]; STREAMS] = [&[]; STREAMS];
                let mut splats = [simd.$splat(0.0); STREAMS];
                for k in 0..STREAMS {
                    let (stream, end) = S::$lanes(columns[k]);
                    // slices of known length are read without bounds checks
                    streams[k] = &stream[..vectors.len()];
                    ends[k] = &end[..last.len()];
                    splats[k] = simd.$splat(factors[k]);
                }
                for (r, vector) in vectors.iter_mut().enumerate() {
                    let mut sum = *vector;
                    for k in 0..STREAMS {
                        sum = simd.$mul_add(streams[k][r], splats[k], sum);
                    }
                    *vector = sum;
                }
                for (r, sum) in last.iter_mut().enumerate() {
                    for k in 0..STREAMS {
                        *sum = ends[k][r].mul_add(factors[k], *sum);
                    }
                }
            }
        }
    };
}
number!(
    f32,
    as_simd_f32s,
    as_mut_simd_f32s,
    splat_f32s,
    mul_add_e_f32s
);
number!(
    f64,
    as_simd_f64s,
    as_mut_simd_f64s,
    splat_f64s,
    mul_add_e_f64s
);

/// Adds to `field` (`rows` numbers) the columns `3 j .. 3 j + 3` of `values`, column by column, times the force on each node `j`.
///
/// Each result is one sum in an order that depends on the number of forces alone, not on the number of threads.
pub(crate) fn add_columns<T: ColumnNumber>(
    values: &[T],
    rows: usize,
    forces: &[(u32, Vec3)],
    field: &mut [f64],
) {
    let arch = arch();
    let parts = if 3 * rows * forces.len() < MIN_PARALLEL_PRODUCTS {
        1
    } else {
        rayon::current_num_threads()
    };
    // whole blocks, so that the lane of a row does not depend on the threads
    let length = rows
        .div_ceil(parts)
        .next_multiple_of(BLOCK)
        .clamp(BLOCK, MAX_ROWS);
    let (started, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let chunks = field.len().div_ceil(length);
    let sum_rows = |(chunk, out): (usize, &mut [f64])| {
        started.fetch_add(1, Ordering::Relaxed);
        let part = SumRows {
            values,
            rows,
            start: chunk * length,
            forces,
        };
        if length <= SMALL_BUFFER_ROWS {
            arch.dispatch(Buffered::<T, SMALL_BUFFER_ROWS>(part, out));
        } else if length <= MEDIUM_BUFFER_ROWS {
            arch.dispatch(Buffered::<T, MEDIUM_BUFFER_ROWS>(part, out));
        } else {
            arch.dispatch(Buffered::<T, MAX_ROWS>(part, out));
        }
        done.fetch_add(1, Ordering::Relaxed);
        let waits = |_: &usize| {
            started.load(Ordering::Relaxed) == chunks && done.load(Ordering::Relaxed) < chunks
        };
        (0..MAX_SPINS).take_while(waits).for_each(|_| spin_loop());
    };
    if parts == 1 {
        field.chunks_mut(length).enumerate().for_each(sum_rows);
    } else {
        field.par_chunks_mut(length).enumerate().for_each(sum_rows);
    }
}

/// Size of the next group of nodes where `left` remain. Groups are about equal, of 8 or 9 nodes where possible, which suits one core as well as two.
fn group_size(left: usize) -> usize {
    let groups = left.div_ceil(MAX_NODES).max(2 * left / 17);
    left.div_ceil(groups)
}

/// All forces on the rows from `start` on.
#[derive(Clone, Copy)]
struct SumRows<'a, T> {
    values: &'a [T],
    rows: usize,
    start: usize,
    forces: &'a [(u32, Vec3)],
}

/// Adds the sums to these numbers through a buffer of running sums for `LENGTH` rows.
struct Buffered<'a, T, const LENGTH: usize>(SumRows<'a, T>, &'a mut [f64]);

impl<T: ColumnNumber, const LENGTH: usize> WithSimd for Buffered<'_, T, LENGTH> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self(part, out) = self;
        let mut sums = [T::ZERO; LENGTH];
        let sums = &mut sums[..out.len()];
        part.add_to(simd, sums);
        for (o, s) in out.iter_mut().zip(sums.iter()) {
            *o += s.to_f64();
        }
    }
}

impl<T: ColumnNumber> SumRows<'_, T> {
    /// Adds all forces to sums, in groups of about the same size.
    #[inline(always)]
    fn add_to<S: Simd>(self, simd: S, sums: &mut [T]) {
        let mut rest = self.forces;
        while !rest.is_empty() {
            let (group, others) = rest.split_at(group_size(rest.len()));
            rest = others;
            match group.len() {
                1 => self.add_nodes::<S, 3>(simd, group, sums),
                2 => self.add_nodes::<S, 6>(simd, group, sums),
                3 => self.add_nodes::<S, 9>(simd, group, sums),
                4 => self.add_axes::<S, 4>(simd, group, sums),
                5 => self.add_axes::<S, 5>(simd, group, sums),
                6 => self.add_axes::<S, 6>(simd, group, sums),
                7 => self.add_axes::<S, 7>(simd, group, sums),
                8 => self.add_axes::<S, 8>(simd, group, sums),
                9 => self.add_axes::<S, 9>(simd, group, sums),
                _ => self.add_axes::<S, MAX_NODES>(simd, group, sums),
            }
        }
    }

    /// Adds `N` forces side by side, axis by axis.
    #[inline(always)]
    fn add_axes<S: Simd, const N: usize>(self, simd: S, forces: &[(u32, Vec3)], sums: &mut [T]) {
        for axis in 0..3 {
            let mut streams = [(0, 0, 0.0); N];
            for (stream, (node, force)) in streams.iter_mut().zip(forces) {
                *stream = (*node, axis, force[axis]);
            }
            self.add_streams(simd, streams, sums);
        }
    }

    /// Adds a third of `STREAMS` forces side by side.
    #[inline(always)]
    fn add_nodes<S: Simd, const STREAMS: usize>(
        self,
        simd: S,
        forces: &[(u32, Vec3)],
        sums: &mut [T],
    ) {
        let mut streams = [(0, 0, 0.0); STREAMS];
        for (stream, (node, force)) in streams.as_chunks_mut::<3>().0.iter_mut().zip(forces) {
            for axis in 0..3 {
                stream[axis] = (*node, axis, force[axis]);
            }
        }
        self.add_streams(simd, streams, sums);
    }

    /// Adds columns side by side: the node, the axis and the force along it of each.
    #[inline(always)]
    fn add_streams<S: Simd, const STREAMS: usize>(
        self,
        simd: S,
        streams: [(u32, usize, f64); STREAMS],
        sums: &mut [T],
    ) {
        let mut columns: [&[T]; STREAMS] = [&[]; STREAMS];
        let mut factors = [T::ZERO; STREAMS];
        for (k, (node, axis, force)) in streams.into_iter().enumerate() {
            let begin = (3 * node as usize + axis) * self.rows + self.start;
            columns[k] = &self.values[begin..begin + sums.len()];
            factors[k] = T::from_f64(force);
        }
        T::add_streams(simd, columns, factors, sums);
    }
}

/// Rows that [`sum_block`] sums: a multiple of the widest vector, and a divisor of [`MAX_ROWS`], so that a row lies in a vector, or behind the last one, exactly as in the
/// whole field.
pub(crate) const BLOCK: usize = 16;
const _: () = assert!(MAX_ROWS.is_multiple_of(BLOCK) && SMALL_BUFFER_ROWS.is_multiple_of(BLOCK));

/// Adds all forces to the sums of the block of rows from `start` on.
pub(crate) fn sum_block<T: ColumnNumber>(
    arch: Arch,
    values: &[T],
    rows: usize,
    start: usize,
    forces: &[(u32, Vec3)],
    sums: &mut [T; BLOCK],
) {
    struct Block<'a, T>(SumRows<'a, T>, &'a mut [T]);
    impl<T: ColumnNumber> WithSimd for Block<'_, T> {
        type Output = ();

        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) {
            self.0.add_to(simd, self.1);
        }
    }
    let length = BLOCK.min(rows.saturating_sub(start));
    let part = SumRows {
        values,
        rows,
        start,
        forces,
    };
    arch.dispatch(Block(part, &mut sums[..length]));
}
