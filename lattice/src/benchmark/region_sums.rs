//! Sums over regions.

use std::hint::black_box;

use pliant_core::bench::{BenchCase, Work};

use crate::benchmark::blocks::{BLOCK, SMALL_BLOCK, block};
use crate::params::Sums;
use crate::step::summation::{Scratch, Summation};

/// Sums over the regions of a block: its number of particles, and a function that computes them and returns the largest absolute value, for a check.
pub(crate) fn sums_of(
    particles: [usize; 3],
    half_width: usize,
    way: Sums,
) -> Result<(usize, impl FnMut() -> f64 + Send), String> {
    let asset = block(particles, half_width).map_err(|e| e.to_string())?;
    let summation = Summation::new(&asset, Some(way));
    let field: Vec<[f64; 12]> = (0..asset.particle_count())
        .map(|p| std::array::from_fn(|c| ((p * 7 + c) as f64).sin()))
        .collect();
    let mut out = vec![[0.0; 12]; asset.region_count()];
    let mut scratch = Scratch::default();
    let count = asset.particle_count();
    let run = move || {
        summation.sum(&asset.plan, &field, &mut scratch, &mut out);
        black_box(&out);
        out.iter().flatten().map(|x| x.abs()).fold(0.0, f64::max)
    };
    Ok((count, run))
}

pub(crate) fn shared_sum(half_width: usize) -> Result<BenchCase, String> {
    let (count, mut run) = sums_of(SMALL_BLOCK, half_width, Sums::BarPlateCube)?;
    let work = Work {
        bytes: 0.0,
        // bars, plates and cubes of twice the half-width and one
        flops: (count * 12 * 3 * 2 * half_width) as f64,
        double: true,
    };
    Ok(BenchCase::new(half_width, count as f64, work, move || {
        black_box(run());
    }))
}

pub(crate) fn region_sum(half_width: usize) -> Result<BenchCase, String> {
    let sums_of = |particles, way| sums_of(particles, half_width, way);
    let (_, mut fast) = sums_of(SMALL_BLOCK, Sums::Running)?;
    let (slow_count, mut slow) = sums_of(SMALL_BLOCK, Sums::Naive)?;
    let (a, b) = (fast(), slow());
    if (a - b).abs() > 1e-10 * b {
        return Err(format!(
            "sliding sums reach {a}, sums particle by particle {b}"
        ));
    }
    let (count, mut fast) = sums_of(BLOCK, Sums::Running)?;
    let work = Work {
        bytes: 0.0,
        // two additions an axis and number
        flops: (count * 12 * 6) as f64,
        double: true,
    };
    let case = BenchCase::new(half_width, count as f64, work, move || {
        black_box(fast());
    });
    Ok(case.with_reference(slow_count as f64, move || {
        black_box(slow());
    }))
}
