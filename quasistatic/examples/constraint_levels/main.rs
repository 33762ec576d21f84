//! What coarser constraints cost and change: force, penetration and time of pressed tools, level by level.
//!
//! `cargo run --release -p pliant-quasistatic --example constraint_levels -- [LEVELS]`; the body is the rabbit of `cargo xtask figures wavelets`, with 4 levels by default.

mod press;

use std::time::Instant;

use pliant_core::contact::ToolShape;
use pliant_core::inspect::Inspect;
use pliant_core::math::Vec3;
use pliant_core::model::{DeformableModel, FrameRequest, WorkBudget};
use pliant_quasistatic::params::ConstraintLevel;

use press::{FRAME, Press, rabbit};

/// Frames in which a tool comes down, and frames in which it rests.
const DOWN: usize = 20;
const REST: usize = 10;

fn main() {
    let levels = std::env::args().nth(1);
    let levels = levels.and_then(|word| word.parse().ok()).unwrap_or(4);
    let asset = rabbit(levels);
    let top = asset.skin.bounds().max.y;
    // above the back, which is about as broad as a palm
    let back = Vec3::new(-0.03, 0.1, 0.0);
    let palm = ToolShape::Box {
        half_size: Vec3::new(0.07, 0.02, 0.07),
        rounding: 0.01,
    };
    println!("{levels} levels, {} nodes, top at {top:.3} m", asset.nodes());
    println!("tool, depth | levels coarser | constraints | force N | largest, rms depth mm | first frame, rest frame, 3 passes ms");
    for (name, shape, below, depth) in [
        ("palm", palm, 0.02, 0.02),
        ("ball of 60 mm", ToolShape::Sphere { radius: 0.06 }, 0.06, 0.02),
        ("ball of 25 mm", ToolShape::Sphere { radius: 0.025 }, 0.025, 0.012),
    ] {
        for friction in [0.0, 0.5] {
            for coarser in 0..levels as u32 {
                let level = ConstraintLevel::Coarser(coarser);
                let mut press = Press::new(&asset, level, shape);
                if friction > 0.0 {
                    press = press.with_friction(friction);
                }
                let mut times = Vec::new();
                for frame in 1..=DOWN + REST {
                    let share = frame.min(DOWN) as f64 / DOWN as f64;
                    let sideways = (frame.max(DOWN) - DOWN).min(4) as f64 * 5e-4;
                    let at = back + Vec3::new(sideways, below - depth * share, 0.0);
                    press.touch(at);
                    let begun = Instant::now();
                    press
                        .model
                        .advance(FrameRequest {
                            duration: FRAME,
                            boundary: &press.boundary,
                            budget: WorkBudget::UNLIMITED,
                            force_tap: None,
                        })
                        .expect("solved");
                    times.push(1e3 * begun.elapsed().as_secs_f64());
                    press.settle();
                }
                let stats = press.model.stats();
                let counter = |name: &str| {
                    let found = stats.counters.iter().find(|(known, _)| *known == name);
                    found.map_or(0.0, |(_, value)| *value)
                };
                let (worst, rms) = press.penetration();
                let force = press.force();
                let moving = times[1..DOWN].iter().copied().fold(0.0, f64::max);
                let resting = times[DOWN + 5..].iter().copied().fold(f64::INFINITY, f64::min);
                println!(
                    "{name}, friction {friction} | {coarser} | {} of {} | {:.4} {:.4} {:.4} | {:.4} {:.4} | {moving:.2} {resting:.2}",
                    counter("coarse_constraints"),
                    press.boundary.displacements().len(),
                    force.x,
                    force.y,
                    force.z,
                    1e3 * worst,
                    1e3 * rms,
                );
            }
        }
    }
}
