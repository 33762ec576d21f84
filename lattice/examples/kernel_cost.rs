//! Prints what a particle step costs in single precision: nanoseconds by shape and half-width, on one thread.
//!
//! `cargo run --release -p pliant-lattice --example kernel_cost`

use std::sync::Arc;
use std::time::Instant;

use pliant_lattice::benchmark::{Pace, SteppedBody, block, shell};
use pliant_lattice::{LatticeAsset, LatticeError};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    pool.install(|| {
        for w in [1, 2, 3, 5, 10] {
            let [free, damped] = nanoseconds(&block([38, 38, 40], w)?, 60)?;
            println!("block of 57,760, w={w}: {free:.1} ns, damped {damped:.1} ns a particle");
        }
        for w in 1..=2 {
            let asset = shell(60, w)?;
            let [free, damped] = nanoseconds(&asset, 60)?;
            let count = asset.particle_count();
            println!("shell of {count}, w={w}: {free:.1} ns, damped {damped:.1} ns a particle");
        }
        let [free, damped] = nanoseconds(&block([5, 5, 6], 2)?, 2000)?;
        println!(
            "block of 150, w=2: {:.2} us, damped {:.2} us a step",
            0.15 * free,
            0.15 * damped
        );
        Ok::<(), Box<dyn std::error::Error + Send + Sync>>(())
    })
    .map_err(|e| e.to_string())?;
    println!(
        "a million particles: {:.1} ns a particle on all threads",
        nanoseconds(&block([100, 100, 100], 1)?, 10).map_err(|e| e.to_string())?[0]
    );
    Ok(())
}

/// The least of some steps in lively motion, per particle, without and with damping.
fn nanoseconds(
    asset: &Arc<LatticeAsset>,
    steps: usize,
) -> Result<[f64; 2], Box<dyn std::error::Error + Send + Sync>> {
    let mut best = [f64::INFINITY; 2];
    for (best, gain) in best.iter_mut().zip([0.0, 0.01]) {
        let mut body = lively(asset, gain)?;
        for _ in 0..steps {
            let start = Instant::now();
            body.step()?;
            *best = best.min(start.elapsed().as_nanos() as f64 / asset.particle_count() as f64);
        }
    }
    Ok(best)
}

fn lively(asset: &Arc<LatticeAsset>, gain: f64) -> Result<SteppedBody, LatticeError> {
    let pace = Pace {
        step: 1e-3,
        alpha: 0.5,
        gain,
    };
    let mut body = SteppedBody::new(Arc::clone(asset), pace)?;
    body.deform(|x| {
        let wave = |k: usize, phase: f64| 0.4 * (0.5 * x[k] + phase).sin();
        [
            x[0] + wave(1, 0.3),
            x[1] + wave(2, 1.1),
            x[2] + wave(0, 2.0),
        ]
    });
    Ok(body)
}
