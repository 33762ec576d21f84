//! Sums of dense columns, limited by memory: the kernel behind [`GreensMatrix::add_columns`](super::GreensMatrix::add_columns).
//!
//! Columns lie scattered over a table far larger than any cache, so the time is that of reading them. Two forces, six columns, are read side
//! by side: three streams leave a third of the bandwidth of two cores unused, twelve and more confuse the hardware's prefetchers. Each thread reads
//! its rows of a column in one go, since every jump to other columns costs the start of new streams. With large pages (`table`) that reaches what the
//! machine can read; prefetching by hand, tried along the columns and at the beginnings of the next ones, makes it slower.

use pliant_core::math::Vec3;
use pliant_core::simd::arch;
use pulp::bytemuck::Pod;
use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

/// Rows that are summed together at most: their running sums stay in the second-level cache.
const ROWS: usize = 16_384;
/// Rows whose running sums are worth less memory to clear, which every thread pays for in full.
const FEW_ROWS: usize = 1024;
const SOME_ROWS: usize = 8192;
/// Columns that are read side by side.
const STREAMS: usize = 6;
/// Products below which one thread is faster than several.
const PARALLEL_FROM: usize = 300_000;

/// What columns are made of.
pub(crate) trait Number: Pod + Send + Sync {
    const ZERO: Self;
    fn from_f64(x: f64) -> Self;
    fn to_f64(self) -> f64;
    /// `sums[r] += Σ_k factors[k] columns[k][r]`; all slices have the same length.
    fn add_streams<S: Simd>(
        simd: S,
        columns: [&[Self]; STREAMS],
        factors: [Self; STREAMS],
        sums: &mut [Self],
    );
}

macro_rules! number {
    ($type:ty, $lanes:ident, $lanes_mut:ident, $splat:ident, $mul_add:ident) => {
        impl Number for $type {
            const ZERO: Self = 0.0;
            fn from_f64(x: f64) -> Self {
                x as $type
            }
            fn to_f64(self) -> f64 {
                f64::from(self)
            }
            #[inline(always)]
            fn add_streams<S: Simd>(
                simd: S,
                columns: [&[Self]; STREAMS],
                factors: [Self; STREAMS],
                sums: &mut [Self],
            ) {
                let [c0, c1, c2, c3, c4, c5] = columns;
                let (v0, t0) = S::$lanes(c0);
                let (v1, t1) = S::$lanes(c1);
                let (v2, t2) = S::$lanes(c2);
                let (v3, t3) = S::$lanes(c3);
                let (v4, t4) = S::$lanes(c4);
                let (v5, t5) = S::$lanes(c5);
                let [f0, f1, f2, f3, f4, f5] = factors;
                let (s0, s1, s2) = (simd.$splat(f0), simd.$splat(f1), simd.$splat(f2));
                let (s3, s4, s5) = (simd.$splat(f3), simd.$splat(f4), simd.$splat(f5));
                let (vs, ts) = S::$lanes_mut(sums);
                for ((((((sum, a), b), c), d), e), f) in vs
                    .iter_mut()
                    .zip(v0)
                    .zip(v1)
                    .zip(v2)
                    .zip(v3)
                    .zip(v4)
                    .zip(v5)
                {
                    let even =
                        simd.$mul_add(*e, s4, simd.$mul_add(*c, s2, simd.$mul_add(*a, s0, *sum)));
                    *sum =
                        simd.$mul_add(*f, s5, simd.$mul_add(*d, s3, simd.$mul_add(*b, s1, even)));
                }
                for (r, sum) in ts.iter_mut().enumerate() {
                    let even = t4[r].mul_add(f4, t2[r].mul_add(f2, t0[r].mul_add(f0, *sum)));
                    *sum = t5[r].mul_add(f5, t3[r].mul_add(f3, t1[r].mul_add(f1, even)));
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
    mul_add_f32s
);
number!(
    f64,
    as_simd_f64s,
    as_mut_simd_f64s,
    splat_f64s,
    mul_add_f64s
);

/// Adds to `field` (`rows` numbers) the columns `3 j .. 3 j + 3` of `values`, column by column, times the force on each node `j`.
///
/// Each result is one sum in the order of `forces`, whatever the number of threads.
pub(crate) fn add_columns<T: Number>(
    values: &[T],
    rows: usize,
    forces: &[(u32, Vec3)],
    field: &mut [f64],
) {
    let arch = arch();
    let parts = if 3 * rows * forces.len() < PARALLEL_FROM {
        1
    } else {
        rayon::current_num_threads()
    };
    // whole blocks, so that a row's place in a vector does not depend on the threads
    let length = rows
        .div_ceil(parts)
        .next_multiple_of(BLOCK)
        .clamp(BLOCK, ROWS);
    let sum_rows = |(chunk, out): (usize, &mut [f64])| {
        let part = SumRows {
            values,
            rows,
            start: chunk * length,
            forces,
            out,
        };
        if length <= FEW_ROWS {
            arch.dispatch(Within::<T, FEW_ROWS>(part));
        } else if length <= SOME_ROWS {
            arch.dispatch(Within::<T, SOME_ROWS>(part));
        } else {
            arch.dispatch(Within::<T, ROWS>(part));
        }
    };
    if parts == 1 {
        field.chunks_mut(length).enumerate().for_each(sum_rows);
    } else {
        field.par_chunks_mut(length).enumerate().for_each(sum_rows);
    }
}

/// All forces on the rows from `start` on.
struct SumRows<'a, T> {
    values: &'a [T],
    rows: usize,
    start: usize,
    forces: &'a [(u32, Vec3)],
    out: &'a mut [f64],
}

/// The same with running sums for `LENGTH` rows at most.
struct Within<'a, T, const LENGTH: usize>(SumRows<'a, T>);

impl<T: Number, const LENGTH: usize> WithSimd for Within<'_, T, LENGTH> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let part = self.0;
        let mut sums = [T::ZERO; LENGTH];
        let length = part.out.len();
        let sums = &mut sums[..length];
        add_forces(simd, part.values, part.rows, part.start, part.forces, sums);
        for (o, s) in part.out.iter_mut().zip(sums.iter()) {
            *o += s.to_f64();
        }
    }
}

/// Adds all forces to the sums of the rows from `start` on, in the order of the forces.
#[inline(always)]
fn add_forces<T: Number, S: Simd>(
    simd: S,
    values: &[T],
    rows: usize,
    start: usize,
    forces: &[(u32, Vec3)],
    sums: &mut [T],
) {
    let length = sums.len();
    for pair in forces.chunks(STREAMS / 3) {
        let Some(&first) = pair.first() else { continue };
        // a missing second force counts as zero on the columns of the first
        let second = pair.get(1).copied().unwrap_or((first.0, Vec3::zeros()));
        let mut columns: [&[T]; STREAMS] = [&[]; STREAMS];
        let mut factors = [T::ZERO; STREAMS];
        for k in 0..STREAMS {
            let (node, force) = if k < 3 { first } else { second };
            let begin = (3 * node as usize + k % 3) * rows + start;
            columns[k] = &values[begin..begin + length];
            factors[k] = T::from_f64(force[k % 3]);
        }
        T::add_streams(simd, columns, factors, sums);
    }
}

/// Rows that [`sum_block`] sums: a multiple of the widest vector, and a divisor of [`ROWS`], so that a row lies in a vector or behind the last one as it does in the
/// whole field.
pub(crate) const BLOCK: usize = 16;
const _: () = assert!(ROWS.is_multiple_of(BLOCK) && FEW_ROWS.is_multiple_of(BLOCK));

/// Adds all forces to the sums of the block of rows from `start` on, as far as there are rows.
pub(crate) fn sum_block<T: Number>(
    arch: Arch,
    values: &[T],
    rows: usize,
    start: usize,
    forces: &[(u32, Vec3)],
    sums: &mut [T; BLOCK],
) {
    struct Block<'a, T> {
        values: &'a [T],
        rows: usize,
        start: usize,
        forces: &'a [(u32, Vec3)],
        sums: &'a mut [T],
    }
    impl<T: Number> WithSimd for Block<'_, T> {
        type Output = ();

        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) {
            let Self {
                values,
                rows,
                start,
                forces,
                sums,
            } = self;
            add_forces(simd, values, rows, start, forces, sums);
        }
    }
    let length = BLOCK.min(rows.saturating_sub(start));
    arch.dispatch(Block {
        values,
        rows,
        start,
        forces,
        sums: &mut sums[..length],
    });
}
