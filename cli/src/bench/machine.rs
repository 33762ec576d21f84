//! What the machine can do: bytes and operations a second.

use std::hint::black_box;
use std::time::Instant;

use memmap2::MmapMut;
use pulp::bytemuck::{cast_slice, cast_slice_mut};
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
    /// Read of four sequential streams a thread, 10⁹ bytes a second.
    pub stream_gb_s: f64,
    /// Single-precision multiply-adds counted as two operations, 10⁹ a second.
    pub peak_gflops_f32: f64,
}

impl Machine {
    /// Measures with the threads of the present pool; about a second.
    pub fn measure() -> Self {
        let threads = rayon::current_num_threads();
        let reader = Reader::new();
        Self {
            threads,
            stream_gb_s: Reader::gb_s(best_seconds(|| reader.read())),
            peak_gflops_f32: peak(threads),
        }
    }

    /// Least time for so many bytes from memory and operations, s.
    pub fn least_seconds(&self, bytes: f64, flops: f64, double: bool) -> f64 {
        let rate = self.peak_gflops_f32 * if double { 0.5 } else { 1.0 };
        (bytes / self.stream_gb_s).max(flops / rate) * 1e-9
    }
}

/// Memory far beyond any cache that is read from end to end, to see how fast that can go.
pub struct Reader {
    numbers: Numbers,
    threads: usize,
}

/// In large pages where the system has them: with small ones a good part of the time goes into finding pages.
enum Numbers {
    Mapped(MmapMut),
    Plain(Vec<f32>),
}

impl Reader {
    /// With the threads of the present pool.
    pub fn new() -> Self {
        let mut numbers = match MmapMut::map_anon(ARRAY) {
            Ok(map) => {
                #[cfg(target_os = "linux")]
                let _ = map.advise(memmap2::Advice::HugePage);
                Numbers::Mapped(map)
            }
            Err(_) => Numbers::Plain(vec![0.0; ARRAY / 4]),
        };
        match &mut numbers {
            Numbers::Mapped(map) => cast_slice_mut(map),
            Numbers::Plain(numbers) => &mut numbers[..],
        }
        .fill(1.0_f32);
        Self {
            numbers,
            threads: rayon::current_num_threads(),
        }
    }

    /// Reads all of it once.
    pub fn read(&self) {
        let numbers: &[f32] = match &self.numbers {
            Numbers::Mapped(map) => cast_slice(map),
            Numbers::Plain(numbers) => numbers,
        };
        let sums: Vec<f32> = numbers
            .par_chunks(numbers.len().div_ceil(self.threads))
            .map(|p| Arch::new().dispatch(Read(p)))
            .collect();
        black_box(sums);
    }

    /// Bytes a second, where one read takes so long, in 10⁹.
    pub fn gb_s(seconds: f64) -> f64 {
        ARRAY as f64 / seconds * 1e-9
    }
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

/// Streams that are read side by side: one alone does not fill the memory's queue.
const STREAMS: usize = 4;

struct Read<'a>(&'a [f32]);

impl WithSimd for Read<'_> {
    type Output = f32;
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f32 {
        let (vectors, _) = S::as_simd_f32s(self.0);
        let length = vectors.len() / STREAMS;
        let stream = |k: usize| vectors[k * length..(k + 1) * length].chunks_exact(4);
        let mut sums = [simd.splat_f32s(0.0); 4 * STREAMS];
        let streams = stream(0).zip(stream(1)).zip(stream(2)).zip(stream(3));
        for (((a, b), c), d) in streams {
            for k in 0..4 {
                sums[k] = simd.add_f32s(sums[k], a[k]);
                sums[4 + k] = simd.add_f32s(sums[4 + k], b[k]);
                sums[8 + k] = simd.add_f32s(sums[8 + k], c[k]);
                sums[12 + k] = simd.add_f32s(sums[12 + k], d[k]);
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
