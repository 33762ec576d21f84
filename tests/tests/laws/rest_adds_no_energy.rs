//! A tool that rests on a body adds no energy to it in ten minutes of simulated time.
//!
//! So that ten minutes take seconds, the pad is as coarse as it can be (50 mm), and a frame lasts 1/20 s. Steps are as short as ever: a frame takes more of them.

use pliant_core::model::EnergyAccount;
use pliant_core::scene::Method;
use pliant_simulation::setup::Setup;
use pliant_simulation::world::World;

use crate::pad::{PRESS, pad, push, run, step, world};

/// Share of the largest energy by which what is stored, and what the tool has done, may have grown: there is no law that allows any, and round-off has to stay far below what could be felt.
const GAIN: f64 = 1e-4;

/// Seconds in which the pad settles.
const SETTLING: f64 = 10.0;

const COARSE: [(&str, &str); 8] = [
    ("edge = 0.0125", "edge = 0.05"),
    ("[0.05, 0.025]", "[0.1, 0.05]"),
    ("cell = 0.025", "cell = 0.05"),
    ("boundary = 400", "elements = \"linear\""),
    ("radius = 0.3", "radius = 0.15"),
    (
        PRESS,
        "{ t = 0.0, at = [0.002, 0.203, 0.001] }, { t = 0.5, at = [0.002, 0.194, 0.001] }",
    ),
    ("gravity = [0.0, 0.0, 0.0]", "gravity = [0.0, -9.81, 0.0]"),
    ("frame_rate = 60.0", "frame_rate = 20.0"),
];

/// Kinetic, elastic and potential energy, J.
fn stored(energy: &EnergyAccount) -> f64 {
    energy.kinetic + energy.elastic + energy.potential
}

fn account(world: &World) -> EnergyAccount {
    let energy = world.output().report.energy;
    energy.expect("a method with inertia accounts for its energy")
}

/// The frames after the first ten seconds until ten minutes are over.
fn frames(setup: &Setup) -> usize {
    setup.frames(600.0) - setup.frames(SETTLING)
}

fn rests(method: Method, resolution: &str) {
    let mut changes = COARSE.to_vec();
    changes.push(("budget_ms", resolution));
    let setup = pad(&changes);
    let mut world = world(&setup, method);
    run(&mut world, &setup, SETTLING);
    let (first, force) = (account(&world), push(&world));
    let most = GAIN * first.scale();
    assert!(
        force > 0.5 && first.work.abs() > 0.0,
        "{force} N, {first:?}"
    );
    for frame in 0..frames(&setup) {
        step(&mut world);
        let now = account(&world);
        let grown = [
            stored(&now) - stored(&first),
            now.work - first.work,
            now.kinetic,
        ];
        assert!(
            grown.iter().all(|joules| *joules <= most),
            "frame {frame}: stored, work and kinetic energy grew by {grown:?} J of {first:?}"
        );
    }
    let change = push(&world) / force - 1.0;
    assert!(change.abs() <= GAIN, "the force changed by {change:e}");
}

#[test]
fn a_resting_tool_adds_no_energy_to_a_cut() {
    rests(Method::Adaptive, "resolution = \"cut\", budget_ms");
}

#[test]
fn a_resting_tool_adds_no_energy_to_a_level() {
    rests(Method::Adaptive, "resolution = \"level\", budget_ms");
}

#[test]
fn a_resting_tool_adds_no_energy_to_a_lattice() {
    rests(Method::Lattice, "budget_ms");
}

/// It has no energy; what a tool at rest feels is the same number in every frame.
#[test]
fn a_resting_tool_feels_the_same_in_the_quasistatic_method() {
    let setup = pad(&COARSE);
    let mut world = world(&setup, Method::Quasistatic);
    run(&mut world, &setup, SETTLING);
    let (force, skin) = (push(&world), world.frame().positions.clone());
    assert!(force > 0.5, "{force} N");
    for _ in 0..frames(&setup) {
        step(&mut world);
        assert_eq!(push(&world), force);
    }
    assert!(world.frame().positions == skin);
}
