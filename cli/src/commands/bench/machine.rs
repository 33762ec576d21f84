//! Limits of the machine: bytes and operations per second.

use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use pliant_core::large_pages::LargePages;
use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

/// Approximate number of bytes of one read.
const PART_BYTES: usize = 256 << 20;
/// Repetitions. The best time counts, because other load only makes runs slower.
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
    /// Read of six sequential streams a thread, 10⁹ bytes a second.
    pub stream_gb_s: f64,
    /// Single-precision multiply-adds counted as two operations, 10⁹ a second.
    pub peak_gflops_f32: f64,
}

impl Machine {
    /// Measures with the threads of the current pool. It takes about a second.
    pub fn measure(reader: &MemoryReader) -> Self {
        let threads = rayon::current_num_threads();
        Self {
            threads,
            stream_gb_s: reader.gb_s(best_seconds(|| reader.read())),
            peak_gflops_f32: peak(threads),
        }
    }

    /// Smallest time for this number of bytes from memory and of operations, s.
    pub fn min_seconds(&self, bytes: f64, flops: f64, double: bool) -> f64 {
        let rate = self.peak_gflops_f32 * if double { 0.5 } else { 1.0 };
        (bytes / self.stream_gb_s).max(flops / rate) * 1e-9
    }
}

/// Memory that is read repeatedly, to measure the read bandwidth.
pub struct MemoryReader {
    numbers: LargePages<f32>,
    /// part that is read next
    next: AtomicUsize,
}

impl MemoryReader {
    /// Allocates twice the size of the last-level cache, so that each pass reads from memory. Caches of half a gigabyte exist; they are half as fast again as memory.
    pub fn new() -> Self {
        let bytes = (2 * last_cache())
            .max(PART_BYTES)
            .next_multiple_of(PART_BYTES);
        let mut numbers = LargePages::zeros(bytes / 4);
        numbers.fill(1.0);
        Self::from_numbers(numbers)
    }

    /// Reads the given numbers.
    pub fn from_numbers(numbers: LargePages<f32>) -> Self {
        Self {
            numbers,
            next: AtomicUsize::new(0),
        }
    }

    /// Bytes of one part.
    fn part(&self) -> usize {
        let bytes = size_of_val(&self.numbers[..]);
        bytes / (bytes / PART_BYTES).max(1)
    }

    /// Reads the next part once, with the threads of the current pool.
    pub fn read(&self) {
        let length = self.part() / 4;
        let parts = self.numbers.len() / length.max(1);
        let begin = self.next.fetch_add(1, Ordering::Relaxed) % parts.max(1) * length;
        let numbers = &self.numbers[begin..begin + length];
        let sums: Vec<f32> = numbers
            .par_chunks(length.div_ceil(rayon::current_num_threads()).max(1))
            .map(|p| Arch::new().dispatch(Read(p)))
            .collect();
        black_box(sums);
    }

    /// Bandwidth for the duration of one read, 10⁹ bytes per second.
    pub fn gb_s(&self, seconds: f64) -> f64 {
        self.part() as f64 / seconds * 1e-9
    }
}

/// Bytes of the largest cache; zero where the system does not report it.
fn last_cache() -> usize {
    let size = |level: usize| {
        let file = format!("/sys/devices/system/cpu/cpu0/cache/index{level}/size");
        let text = std::fs::read_to_string(file).ok()?;
        let kilobytes: usize = text.trim().strip_suffix('K')?.parse().ok()?;
        Some(kilobytes << 10)
    };
    (0..8).filter_map(size).max().unwrap_or(0)
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

/// Streams that are read in parallel. One does not saturate the memory, and with a power of two they compete for the same cache sets.
const STREAMS: usize = 6;

struct Read<'a>(&'a [f32]);

impl WithSimd for Read<'_> {
    type Output = f32;
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f32 {
        let (vectors, _) = S::as_simd_f32s(self.0);
        let length = vectors.len() / STREAMS;
        let mut streams = [vectors; STREAMS];
        for (k, stream) in streams.iter_mut().enumerate() {
            *stream = &vectors[k * length..][..length];
        }
        let mut sums = [simd.splat_f32s(0.0); STREAMS];
        for (r, _) in streams[0].iter().enumerate() {
            for (sum, stream) in sums.iter_mut().zip(streams) {
                *sum = simd.add_f32s(*sum, stream[r]);
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
        assert!((machine.min_seconds(4e10, 1e9, false) - 1.0).abs() < 1e-12);
        assert!((machine.min_seconds(0.0, 1e11, false) - 0.5).abs() < 1e-12);
        assert!((machine.min_seconds(0.0, 1e11, true) - 1.0).abs() < 1e-12);
    }
}
