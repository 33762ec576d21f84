//! A tool that rests on a body adds no energy to it in ten minutes of simulated time.
//!
//! The pad is as coarse as possible (50 mm) and a frame lasts 1/20 s, so that ten minutes take seconds. Steps are as short as usual: a frame takes more of them.

use pliant_core::model::EnergyAccount;
use pliant_core::scene::Method;
use pliant_simulation::setup::Setup;
use pliant_simulation::world::World;

use crate::pad::{PRESS_KEYS, pad, run, step, upward_force, world};

/// Share of the largest energy by which the energy of the body and the work of the tool may grow. No law allows any growth, and round-off has to stay far below what a hand could feel.
const MAX_GAIN: f64 = 1e-4;

/// Seconds in which the pad settles.
const SETTLING: f64 = 10.0;

const COARSE: [(&str, &str); 8] = [
    ("edge = 0.0125", "edge = 0.05"),
    ("[0.05, 0.025]", "[0.1, 0.05]"),
    ("cell = 0.025", "cell = 0.05"),
    ("boundary = 400", "elements = \"linear\""),
    ("radius = 0.3", "radius = 0.15"),
    (
        PRESS_KEYS,
        "{ t = 0.0, at = [0.002, 0.203, 0.001] }, { t = 0.5, at = [0.002, 0.194, 0.001] }",
    ),
    ("gravity = [0.0, 0.0, 0.0]", "gravity = [0.0, -9.81, 0.0]"),
    ("frame_rate = 60.0", "frame_rate = 20.0"),
];

/// Kinetic, elastic and potential energy, J.
fn total_energy(energy: &EnergyAccount) -> f64 {
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

fn check_rest(method: Method, resolution: &str) {
    let mut changes = COARSE.to_vec();
    changes.push(("budget_ms", resolution));
    let setup = pad(&changes);
    let mut world = world(&setup, method);
    run(&mut world, &setup, SETTLING);
    let (first, force) = (account(&world), upward_force(&world));
    let max_gain = MAX_GAIN * first.scale();
    assert!(
        force > 0.5 && first.work.abs() > 0.0,
        "{force} N, {first:?}"
    );
    for frame in 0..frames(&setup) {
        step(&mut world);
        let current = account(&world);
        let gains = [
            total_energy(&current) - total_energy(&first),
            current.work - first.work,
            current.kinetic,
        ];
        assert!(
            gains.iter().all(|joules| *joules <= max_gain),
            "frame {frame}: stored, work and kinetic energy grew by {gains:?} J of {first:?}"
        );
    }
    let change = upward_force(&world) / force - 1.0;
    assert!(change.abs() <= MAX_GAIN, "the force changed by {change:e}");
}

#[test]
fn a_resting_tool_adds_no_energy_to_a_cut() {
    check_rest(Method::Adaptive, "resolution = \"cut\", budget_ms");
}

#[test]
fn a_resting_tool_adds_no_energy_to_a_level() {
    check_rest(Method::Adaptive, "resolution = \"level\", budget_ms");
}

#[test]
fn a_resting_tool_adds_no_energy_to_a_lattice() {
    check_rest(Method::Lattice, "budget_ms");
}

/// This method has no energy; the force on a tool at rest is the same number in every frame.
#[test]
fn a_resting_tool_feels_the_same_in_the_quasistatic_method() {
    let setup = pad(&COARSE);
    let mut world = world(&setup, Method::Quasistatic);
    run(&mut world, &setup, SETTLING);
    let (force, skin) = (upward_force(&world), world.frame().positions.clone());
    assert!(force > 0.5, "{force} N");
    for _ in 0..frames(&setup) {
        step(&mut world);
        assert_eq!(upward_force(&world), force);
    }
    assert!(world.frame().positions == skin);
}
