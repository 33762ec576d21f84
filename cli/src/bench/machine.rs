//! What the machine can do: bytes and operations a second.

use std::hint::black_box;
use std::time::Instant;

use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

/// Bytes of each array of the bandwidth test: far beyond any cache here.
const ARRAY: usize = 256 << 20;
/// Repetitions; the best counts, since everything else on a machine only makes it slower.
const REPEATS: usize = 5;
/// Independent accumulators that hide the latency of a multiply-add.
const ACCUMULATORS: usize = 12;
/// Multiply-adds of each accumulator in a run.
const ROUNDS: usize = 2_000_000;

/// Limits at one number of threads.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Machine {
    /// Threads it was measured with.
    pub threads: usize,
    /// Sequential read, 10⁹ bytes a second.
    pub stream_gb_s: f64,
    /// Single-precision multiply-adds counted as two operations, 10⁹ a second.
    pub peak_gflops_f32: f64,
}

impl Machine {
    /// Measures with the threads of the present pool; about a second.
    pub fn measure() -> Self {
        let threads = rayon::current_num_threads();
        Self {
            threads,
            stream_gb_s: read_bandwidth(threads),
            peak_gflops_f32: peak(threads),
        }
    }

    /// Least time for so many bytes from memory and operations, s.
    pub fn least_seconds(&self, bytes: f64, flops: f64, double: bool) -> f64 {
        let rate = self.peak_gflops_f32 * if double { 0.5 } else { 1.0 };
        (bytes / self.stream_gb_s).max(flops / rate) * 1e-9
    }
}

fn read_bandwidth(threads: usize) -> f64 {
    let numbers = vec![1.0_f32; ARRAY / 4];
    let part = numbers.len().div_ceil(threads);
    let best = best_seconds(|| {
        let sums: Vec<f32> = numbers
            .par_chunks(part)
            .map(|p| Arch::new().dispatch(Read(p)))
            .collect();
        black_box(sums);
    });
    ARRAY as f64 / best * 1e-9
}

fn peak(threads: usize) -> f64 {
    let arch = Arch::new();
    let lanes = arch.dispatch(Lanes);
    let best = best_seconds(|| {
        let sums: Vec<f32> = (0..threads)
            .into_par_iter()
            .with_max_len(1)
            .map(|_| Arch::new().dispatch(MultiplyAdd))
            .collect();
        black_box(sums);
    });
    (threads * lanes * ACCUMULATORS * ROUNDS * 2) as f64 / best * 1e-9
}

fn best_seconds(mut run: impl FnMut()) -> f64 {
    run();
    (0..REPEATS)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed().as_secs_f64()
        })
        .fold(f64::INFINITY, f64::min)
}

struct Lanes;

impl WithSimd for Lanes {
    type Output = usize;
    fn with_simd<S: Simd>(self, _: S) -> usize {
        S::F32_LANES
    }
}

struct Read<'a>(&'a [f32]);

impl WithSimd for Read<'_> {
    type Output = f32;
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f32 {
        let (vectors, _) = S::as_simd_f32s(self.0);
        let mut sums = [simd.splat_f32s(0.0); 8];
        for eight in vectors.chunks_exact(8) {
            for (sum, x) in sums.iter_mut().zip(eight) {
                *sum = simd.add_f32s(*sum, *x);
            }
        }
        let mut total = 0.0;
        for sum in sums {
            total += simd.reduce_sum_f32s(sum);
        }
        total
    }
}

struct MultiplyAdd;

impl WithSimd for MultiplyAdd {
    type Output = f32;
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f32 {
        let factor = simd.splat_f32s(black_box(0.999_999));
        let term = simd.splat_f32s(black_box(1e-6));
        let mut sums = [simd.splat_f32s(1.0); ACCUMULATORS];
        for _ in 0..ROUNDS {
            for sum in &mut sums {
                *sum = simd.mul_add_f32s(*sum, factor, term);
            }
        }
        let mut total = 0.0;
        for sum in sums {
            total += simd.reduce_sum_f32s(sum);
        }
        total
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slower_of_memory_and_arithmetic_decides() {
        let machine = Machine {
            threads: 1,
            stream_gb_s: 40.0,
            peak_gflops_f32: 200.0,
        };
        assert!((machine.least_seconds(4e10, 1e9, false) - 1.0).abs() < 1e-12);
        assert!((machine.least_seconds(0.0, 1e11, false) - 0.5).abs() < 1e-12);
        assert!((machine.least_seconds(0.0, 1e11, true) - 1.0).abs() < 1e-12);
    }
}
