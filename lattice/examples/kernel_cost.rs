//! Prints what a particle step costs in single precision: nanoseconds by shape, half-width and instructions, on one thread.
//!
//! `cargo run --release -p pliant-lattice --example kernel_cost`

use std::time::Instant;

use pliant_lattice::LatticeError;
use pliant_lattice::kernels::{FastBody, Level, block, shell};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    pool.install(|| {
        let levels = [Level::Avx2, Level::Avx512];
        for level in levels.into_iter().filter(|l| l.is_available()) {
            for w in [1, 2, 3, 5, 10] {
                let mut body = block([38, 38, 40], w, level)?;
                let (free, damped) = nanoseconds(&mut body, 60);
                println!("block of 57,760, {level:?}, w={w}: {free:.1} ns, damped {damped:.1} ns a particle");
            }
            for w in 1..=2 {
                let mut body = shell(60, w, level)?;
                let (free, damped) = nanoseconds(&mut body, 60);
                let count = body.particle_count();
                println!("shell of {count}, {level:?}, w={w}: {free:.1} ns, damped {damped:.1} ns a particle");
            }
            let mut body = block([5, 5, 6], 2, level)?;
            let (free, damped) = nanoseconds(&mut body, 2000);
            println!("block of 150, {level:?}, w=2: {:.2} us, damped {:.2} us a step", 0.15 * free, 0.15 * damped);
        }
        Ok::<(), LatticeError>(())
    })?;
    let mut body = block([100, 100, 100], 1, Level::Auto)?;
    println!(
        "a million particles: {:.1} ns a particle on all threads",
        nanoseconds(&mut body, 10).0
    );
    Ok(())
}

/// The least of some steps in lively motion, per particle, without and with damping.
fn nanoseconds(body: &mut FastBody, steps: usize) -> (f64, f64) {
    body.deform(|x| {
        let wave = |k: usize, phase: f64| 0.4 * (0.5 * x[k] + phase).sin();
        [
            x[0] + wave(1, 0.3),
            x[1] + wave(2, 1.1),
            x[2] + wave(0, 2.0),
        ]
    });
    let count = body.particle_count() as f64;
    let mut best = [f64::INFINITY; 2];
    for (best, gain) in best.iter_mut().zip([0.0, 0.01]) {
        for _ in 0..steps {
            let start = Instant::now();
            body.step(0.5, 1e-3, gain);
            *best = best.min(start.elapsed().as_nanos() as f64 / count);
        }
    }
    (best[0], best[1])
}
