//! What coarser constraints cost and change: force, penetration and time of pressed tools, level by level.
//!
//! `cargo run --release -p pliant-quasistatic --example constraint_levels -- [LEVELS]`; the body is the rabbit of `cargo xtask figures wavelets`, with 4 levels by default.

mod new_sets;
mod press;

use pliant_core::contact::ToolShape;
use pliant_core::inspect::Inspect;
use pliant_core::math::Vec3;
use pliant_core::model::WorkBudget;
use pliant_quasistatic::params::ConstraintLevel;

use press::{Press, rabbit};

/// Frames in which a tool comes down, and frames in which it is dragged by 2 mm and rests.
const PRESS_FRAMES: usize = 20;
const REST_FRAMES: usize = 10;

fn main() {
    let levels = std::env::args().nth(1);
    let levels = levels.and_then(|word| word.parse().ok()).unwrap_or(4);
    new_sets::write(levels);
    let asset = rabbit(levels);
    let palm = ToolShape::Box {
        half_size: Vec3::new(0.07, 0.02, 0.07),
        rounding: 0.01,
    };
    let ball = |radius: f64| ToolShape::Sphere { radius };
    println!("{} nodes, columns at epsilon 0.05", asset.nodes());
    println!(
        "tool, friction | levels coarser | constraints, touched | force N | largest and RMS depth mm | dearest moving and least resting frame ms"
    );
    for (name, shape, below, depth) in [
        ("palm of 140 mm", palm, 0.02, 0.02),
        ("ball of 60 mm", ball(0.06), 0.06, 0.02),
        ("ball of 25 mm", ball(0.025), 0.025, 0.012),
    ] {
        for friction in [0.0, 0.5] {
            for coarser in 0..levels as u32 {
                let level = ConstraintLevel::Coarser(coarser);
                let press = Press::new(&asset, level, shape.clone()).with_friction(friction);
                let row = press_and_drag(press, below, depth);
                println!("{name}, {friction} | {coarser} | {row}");
            }
        }
    }
}

/// Presses a tool by `depth` (m), whose lower end is `below` its place, and drags it.
fn press_and_drag(mut press: Press, below: f64, depth: f64) -> String {
    // over the back, which is about as broad as a palm
    let back = Vec3::new(-0.03, 0.1 + below, 0.0);
    let mut times = Vec::new();
    for frame in 1..=PRESS_FRAMES + REST_FRAMES {
        let down = depth * frame.min(PRESS_FRAMES) as f64 / PRESS_FRAMES as f64;
        let sideways = (frame.max(PRESS_FRAMES) - PRESS_FRAMES).min(4) as f64 * 5e-4;
        let place = back + Vec3::new(sideways, -down, 0.0);
        press.step(place, WorkBudget::UNLIMITED).expect("solved");
        times.push(1e3 * press.seconds);
    }
    let coarse = press.model.stats().counter("coarse_constraints");
    let coarse = coarse.unwrap_or(0.0);
    let touched = press.boundary.displacements().len();
    let (force, (deepest, rms)) = (press.force(), press.penetration());
    let moving = times[1..PRESS_FRAMES].iter().copied().fold(0.0, f64::max);
    let resting = times[PRESS_FRAMES + 5..].iter().copied();
    let resting = resting.fold(f64::INFINITY, f64::min);
    format!(
        "{coarse}, {touched} | {:.3} {:.3} {:.3} | {:.2} {:.2} | {moving:.2} {resting:.2}",
        force.x,
        force.y,
        force.z,
        1e3 * deepest,
        1e3 * rms
    )
}
