//! Forces on a tool where the budget allows few fine elements.

use pliant_core::scene::Method;
use pliant_tests::{bundled, setup, step, world};

/// Largest change of the force from frame to frame while the tool is well inside of the body, as a share of the largest force. When the tool leaves, the force changes by 0.23 of it in a
/// frame. A cut that was merged under the tool made the force three times as large for a frame.
const MAX_JUMP: f64 = 0.3;

/// Norm of the force on the first tool in each frame, N, with `budget_ms` by work units.
fn forces(name: &str, budget_ms: f64, frames: usize) -> Vec<f64> {
    let mut scene = bundled(name);
    scene.description.body.adaptive.budget_ms = Some(budget_ms);
    let mut world = world(&setup(&scene), Method::Adaptive);
    let mut force = || {
        step(&mut world);
        world.output().wrenches[0].force.norm()
    };
    (0..frames).map(|_| force()).collect()
}

#[test]
fn the_force_of_a_poke_has_no_jumps_on_a_small_budget() {
    let forces = forces("liver", 2.5, 200);
    let largest_force = forces.iter().copied().fold(0.0, f64::max);
    assert!(
        (0.3..1.0).contains(&largest_force),
        "{largest_force} N at most"
    );
    let pressed_frames = forces
        .windows(2)
        .filter(|pair| pair[0].min(pair[1]) > 0.5 * largest_force);
    let changes = pressed_frames.map(|pair| (pair[1] - pair[0]).abs());
    let largest_jump = changes.fold(0.0, f64::max);
    assert!(
        largest_jump < MAX_JUMP * largest_force,
        "a jump of {largest_jump} N, {largest_force} N at most"
    );
}
