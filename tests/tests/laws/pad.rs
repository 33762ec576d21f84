//! The body of these laws: a pad that is held at its base, under a ball so large that the contact is several edges of the skin wide.

use std::sync::Arc;

use pliant_core::contact::{Owner, ToolWrench};
use pliant_core::math::Vec3;
use pliant_simulation::setup::Setup;
use pliant_simulation::world::World;
pub use pliant_tests::{run, step, world};
use pliant_tests::{scene, setup};

/// 0.2 x 0.1 x 0.2 m with a skin in edges of 12.5 mm. The ball is pressed 6 mm deep within half a second and stays there.
const PAD: &str = r#"
    schema = 1
    name = "pad"
    frame_rate = 60.0
    gravity = [0.0, 0.0, 0.0]
    compare = { material = "nu0" }
    [[body]]
    name = "pad"
    mesh = { procedural = "box", size = [0.2, 0.1, 0.2], edge = 0.0125 }
    material = { young = 2.0e4, poisson = 0.0, density = 1000.0, zeta = 0.3 }
    support = [ { name = "base", select = { lowest = 0.01 } } ]
    adaptive = { target_edges = [0.05, 0.025], calibrate = false, budget_ms = 1000.0 }
    lattice = { cell = 0.025, half_width = 1, calibrate = false }
    quasistatic = { boundary = 400 }
    [[tool]]
    name = "ball"
    shape = { sphere = { radius = 0.3 } }
    motion = { path = "press" }
    [[path]]
    name = "press"
    interpolation = "smooth"
    keys = [ { t = 0.0, at = [0.002, 0.353, 0.001] }, { t = 0.5, at = [0.002, 0.344, 0.001] } ]
"#;

/// The keys of [`PAD`], for a path of another kind.
pub const PRESS_KEYS: &str =
    "{ t = 0.0, at = [0.002, 0.353, 0.001] }, { t = 0.5, at = [0.002, 0.344, 0.001] }";

/// Mass of the pad, kg.
pub const MASS: f64 = 4.0;

/// The pad with parts of its text replaced.
pub fn pad(changes: &[(&str, &str)]) -> Arc<Setup> {
    let mut text = PAD.to_string();
    for (part, other) in changes {
        assert!(text.contains(part), "the pad has no `{part}`");
        text = text.replace(part, other);
    }
    setup(&scene(&text))
}

/// Share of the sum of all forces, or torques, that may remain by round-off.
pub const ROUND_OFF: f64 = 1e-12;

/// Checks that a wrench at `place` is opposite to the reactions of the contacts that `counts` selects, also about `reference`.
#[track_caller]
pub fn assert_opposite(
    world: &World,
    (wrench, place): (&ToolWrench, Vec3),
    reference: Vec3,
    counts: impl Fn(Owner) -> bool,
    case: &str,
) {
    let (mut force, mut torque) = (Vec3::zeros(), Vec3::zeros());
    let (mut forces, mut torques) = (0.0, 0.0);
    for ((constraint, owner), reaction) in world.contacts().zip(world.model().reactions()) {
        if counts(*owner) {
            let arm = world.frame().position(constraint.vertex as usize) - reference;
            force += reaction;
            torque += arm.cross(reaction);
            forces += reaction.norm();
            torques += arm.norm() * reaction.norm();
        }
    }
    let residual = (force + wrench.force).norm();
    assert!(residual <= ROUND_OFF * forces, "{case}: {residual:e} N");
    let about_reference = wrench.torque + (place - reference).cross(&wrench.force);
    let residual = (torque + about_reference).norm();
    assert!(residual <= ROUND_OFF * torques, "{case}: {residual:e} N m");
}

/// Checks that these worlds go on from a snapshot of the first one with the skins and the forces on a tool with which it went on itself, bit for bit.
#[track_caller]
pub fn assert_restored(worlds: &mut [World], tool: usize, case: &str) {
    let go_on = |world: &mut World| -> Vec<_> {
        let frame = |_| {
            step(world);
            let force = world.output().wrenches[tool].force;
            (world.frame().positions.clone(), force.map(f64::to_bits))
        };
        (0..20).map(frame).collect()
    };
    let snapshot = worlds[0].snapshot();
    let expected = go_on(&mut worlds[0]);
    for world in worlds {
        world.restore(&snapshot).expect("the same scene");
        assert!(go_on(world) == expected, "{case}");
    }
}

/// Upward force on the first tool, N.
pub fn upward_force(world: &World) -> f64 {
    world.output().wrenches[0].force.y
}
