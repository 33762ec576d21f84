//! Kernels on bodies of bundled scenes and on stacked bodies, as `pliant bench` times them.

use std::sync::Arc;

use pliant_core::asset::Progress;
use pliant_core::bench::{BenchCase, BenchKernel, Quantity, Work};
use pliant_core::scene::Method;
use pliant_lattice::benchmark::{Pace, SteppedBody, wave};
use pliant_lattice::{LatticeParams, bake};

use crate::benchmark::stacked_bodies::stacked_bodies;
use crate::build::geometry::geometry_for;
use crate::scenes::{ImportOptions, load};
use crate::setup::prepare;

/// Operations of a particle in a step (see the kernel `lattice-step`), and what damping adds.
const FLOPS: [f64; 2] = [441.0, 228.0];
/// Time step, s.
const STEP: f64 = 1.0 / 120.0;
/// Goal share α.
const ALPHA: f64 = 0.5;
/// Gain of the damping: that of the scene's damping ratio.
const GAIN: f64 = 0.88;

/// Bodies in single precision.
pub const KERNELS: &[BenchKernel] = &[
    BenchKernel {
        name: "lattice-penguin",
        about: "step of a body of the scene penguins: 148 particles of cells that are split and no block, half-width 2, single precision, by bodies",
        quantity: Quantity::MicrosecondsPer("body"),
        sizes: &[1, 150],
        parallel: false,
        prepare: |bodies| penguin(bodies, 0.0),
    },
    BenchKernel {
        name: "lattice-penguin-damped",
        about: "the same with damping",
        quantity: Quantity::MicrosecondsPer("body"),
        sizes: &[150],
        parallel: false,
        prepare: |bodies| penguin(bodies, GAIN),
    },
    BenchKernel {
        name: "lattice-crowd",
        about: "frame of one step of many stacked bodies of 150 particles, contact and friction between all, nothing asleep, with skins, by bodies (reference: the same without contact between them)",
        quantity: Quantity::MillisecondsPer("step"),
        sizes: &[150],
        parallel: true,
        prepare: stacked_bodies,
    },
];

fn penguin(count: usize, gain: f64) -> Result<BenchCase, String> {
    let progress = Progress::new();
    let scene = load("penguins", &ImportOptions::default()).map_err(|e| e.to_string())?;
    let setup = prepare(&scene, &progress).map_err(|e| e.to_string())?;
    let geometry = geometry_for(&setup, Method::Lattice, &mut Vec::new(), &progress);
    let params = LatticeParams::with_half_width(2);
    let asset = bake(&geometry.map_err(|e| e.to_string())?, &params, &progress);
    let asset = asset.map_err(|e| e.to_string())?;
    let asset = Arc::new(asset);
    let pace = Pace {
        step: STEP,
        alpha: ALPHA,
        gain,
    };
    let count = count.max(1);
    let bodies = (0..count).map(|_| {
        let mut body = SteppedBody::new(Arc::clone(&asset), pace)?;
        body.deform(wave);
        Ok(body)
    });
    let bodies = bodies.collect::<Result<Vec<_>, pliant_lattice::LatticeError>>();
    let mut bodies = bodies.map_err(|e| e.to_string())?;
    let particles = (count * asset.particle_count()) as f64;
    let [plain, damped] = FLOPS;
    let work = Work {
        bytes: 0.0,
        flops: particles * (plain + if gain > 0.0 { damped } else { 0.0 }),
        double: false,
    };
    Ok(BenchCase::new(count, count as f64, work, move || {
        for body in &mut bodies {
            // a body that diverges spoils the timing, not the program
            let _ = body.step();
        }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_can_be_prepared_and_run() {
        for kernel in KERNELS {
            let bodies = if kernel.name == "lattice-crowd" {
                30
            } else {
                2
            };
            let mut case = (kernel.prepare)(bodies).expect(kernel.name);
            (case.run)();
            if let Some((_, reference)) = &mut case.reference {
                reference();
            }
        }
    }
}
