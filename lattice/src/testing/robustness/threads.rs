//! The same scene gives the same bits on any number of threads, however long it runs.

use pliant_core::boundary::BoundaryConditions;
use pliant_core::material::Damping;
use pliant_core::math::Vec3;
use pliant_core::model::DeformableModel;

use crate::numerics::parallel::PARALLEL_THRESHOLD;
use crate::testing::bodies::{ball, body_of, grid_of, model_of, run, same_on_threads, undamped};
use crate::{LatticeParams, Precision};

/// Frames of 4 steps; the 10,000 steps that are asked of the method are 2,500 of them, with `PLIANT_LONG_FRAMES=2500`.
fn frames() -> u32 {
    let asked = std::env::var("PLIANT_LONG_FRAMES").ok();
    asked.and_then(|f| f.parse().ok()).unwrap_or(6)
}

#[test]
fn a_shaken_body_has_the_same_bits_for_any_number_of_threads() {
    let fork = grid_of([16, 16, 44], |c| c[2] % 11 != 5 || c[0] > 8);
    // short windows add up, long ones slide from slab to slab: neither may see where the parts of the threads begin
    let block = grid_of([13, 13, 43], |_| true);
    for (name, grid, half_width, damping, precision) in [
        ("ball", ball(9.5, 0.0), 1, None, Precision::Double),
        ("ball", ball(9.5, 0.0), 1, None, Precision::Single),
        ("shell", ball(14.0, 12.5), 1, None, Precision::Single),
        ("fork", fork, 1, None, Precision::Single),
        ("block", block.clone(), 2, Some(0.3), Precision::Single),
        ("block", block.clone(), 4, None, Precision::Single),
        ("block", block, 5, Some(0.3), Precision::Single),
    ] {
        let geometry = body_of(grid, 0.1);
        let params = LatticeParams {
            damping: damping.map(Damping::Ratio),
            ..undamped(half_width, 0.9, 4).in_precision(precision)
        };
        same_on_threads(name, &[2, 8], || {
            let mut model = model_of(&geometry, &params);
            assert!(model.x.len() > PARALLEL_THRESHOLD);
            let (mut sum, mut last) = (0_u64, None);
            for frame in 0..frames() {
                // weight that turns, so that it never rests
                let t = f64::from(frame) * 0.21;
                let weight = Vec3::new(t.sin(), -t.cos(), (0.37 * t).sin()) * 9.81;
                last = run(&mut model, 1, &BoundaryConditions::with_gravity(weight));
                assert!(last.is_some(), "{name} diverges");
                for c in model.snapshot().values {
                    sum = sum.rotate_left(5) ^ c.to_bits().wrapping_mul(0x9e37_79b9_7f4a_7c15);
                }
            }
            let motion = model.v.iter().map(|v| v.amax()).fold(0.0, f64::max);
            assert!(motion > 1e-3, "{name} rests");
            (sum, last)
        });
    }
}
