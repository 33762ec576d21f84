//! Prints what a particle step costs in single precision: nanoseconds by half-width and instructions, on one thread and on all.
//!
//! `cargo run --release -p pliant-lattice --example kernel_cost`

use std::time::Instant;

use pliant_lattice::kernels::{FastBody, Level, block};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let levels = [Level::Portable, Level::Avx2, Level::Auto];
    for level in levels.into_iter().filter(|l| l.is_available()) {
        for w in 1..=3 {
            let mut body = block([38, 38, 40], w, level)?;
            let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
            let one = pool.install(|| nanoseconds(&mut body));
            println!("{level:?} w={w}: {one:.1} ns a particle on one thread");
        }
    }
    let mut body = block([100, 100, 100], 1, Level::Auto)?;
    println!(
        "a million particles: {:.1} ns a particle on all threads",
        nanoseconds(&mut body)
    );
    Ok(())
}

/// The least of some rounds of steps in lively motion, per particle and step.
fn nanoseconds(body: &mut FastBody) -> f64 {
    body.deform(|x| {
        let wave = |k: usize, phase: f64| 0.4 * (0.5 * x[k] + phase).sin();
        [
            x[0] + wave(1, 0.3),
            x[1] + wave(2, 1.1),
            x[2] + wave(0, 2.0),
        ]
    });
    let mut best = f64::INFINITY;
    for _ in 0..8 {
        let start = Instant::now();
        for _ in 0..5 {
            body.step(0.5, 1e-3);
        }
        best = best.min(start.elapsed().as_nanos() as f64 / 5.0 / body.particle_count() as f64);
    }
    best
}
