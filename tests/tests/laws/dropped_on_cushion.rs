//! A body falls on another one. Neither shape makes contact easy.

use pliant_core::scene::Method;
use pliant_tests::{scene, setup};

use crate::pad::{step, world};

/// A bear falls 7 cm on a soft slab that lies on the floor. The skin of the slab is a regular grid, on which the Voronoi cells of four contact points meet in one point. The bear has limbs that
/// are thinner than the distance between contact points.
const SCENE: &str = r#"
    schema = 1
    name = "bear on a cushion"
    frame_rate = 60.0
    gravity = [0.0, -9.81, 0.0]
    duration = 0.6
    methods = ["adaptive", "lattice"]
    [[body]]
    name = "bear"
    mesh = { procedural = "bear", longest = 0.15, edge = 0.012 }
    material = { young = 3.0e4, poisson = 0.3, density = 300.0 }
    count = 1
    layout = { grid = [1, 1, 1], spacing = 0.2, origin = [0.0, 0.11, 0.0], jitter = 0.0 }
    adaptive = { target_edges = [0.03, 0.02], calibrate = false }
    lattice = { cell = 0.015, calibrate = false }
    [[body]]
    name = "cushion"
    mesh = { procedural = "box", size = [0.5, 0.08, 0.5], edge = 0.03 }
    material = { young = 1.0e4, poisson = 0.3, density = 200.0 }
    adaptive = { target_edges = [0.05], calibrate = false }
    lattice = { cell = 0.02, calibrate = false }
    [[tool]]
    name = "floor"
    shape = { half_space = { point = [0.0, -0.04, 0.0], normal = [0.0, 1.0, 0.0] } }
    contact = { kind = "coulomb" }
"#;

#[test]
fn it_is_carried_and_gains_no_energy() {
    let setup = setup(&scene(SCENE));
    for method in [Method::Adaptive, Method::Lattice] {
        let mut world = world(&setup, method);
        let (mut deepest, mut max_energy) = (0.0_f64, 0.0_f64);
        for _ in 0..36 {
            step(&mut world);
            let report = &world.output().report;
            deepest = deepest.max(report.max_violation);
            let energy = report.energy.as_ref();
            max_energy = max_energy.max(energy.map_or(0.0, |e| e.kinetic + e.elastic));
        }
        // a frame of the fall is 20 mm
        assert!(deepest < 3e-3, "{}: {deepest} m", method.name());
        // falls have at most the height of the bear, 0.2 J, and what the slab sinks
        assert!(max_energy < 0.3, "{}: {max_energy} J", method.name());
    }
}

/// A rabbit that is crushed as it falls on a floor at rest. A pebble far away is so stiff that all take very short steps.
const CRUSHED: &str = r#"
    schema = 1
    name = "crushed rabbit"
    frame_rate = 60.0
    gravity = [0.0, -9.81, 0.0]
    duration = 1.0
    methods = ["adaptive"]
    [[body]]
    name = "rabbit"
    mesh = { procedural = "rabbit", longest = 0.2, edge = 0.01 }
    material = { young = 5.0e3, poisson = 0.3, density = 1000.0, law = "stable_neo_hookean" }
    count = 1
    layout = { grid = [1, 1, 1], spacing = 0.3, origin = [0.0, 0.3, 0.0], jitter = 0.0 }
    adaptive = { target_edges = [0.03], calibrate = false }
    [[body]]
    name = "pebble"
    mesh = { procedural = "box", size = [0.06, 0.06, 0.06], edge = 0.03 }
    material = { young = STIFFNESS, poisson = 0.3, density = 1000.0, law = "stable_neo_hookean" }
    count = 1
    layout = { grid = [1, 1, 1], spacing = 0.3, origin = [1.0, 0.1, 0.0], jitter = 0.0 }
    adaptive = { target_edges = [0.04], calibrate = false }
    [[tool]]
    name = "floor"
    shape = { half_space = { point = [0.0, 0.0, 0.0], normal = [0.0, 1.0, 0.0] } }
    contact = { kind = "frictionless" }
"#;

#[test]
fn a_floor_at_rest_gives_no_energy_however_short_the_steps_are() {
    for stiffness in ["1.0e5", "1.0e7"] {
        let setup = setup(&scene(&CRUSHED.replace("STIFFNESS", stiffness)));
        let mut world = world(&setup, Method::Adaptive);
        let (mut most, mut least_dissipated, mut max_work) = (0.0_f64, 0.0_f64, 0.0_f64);
        for _ in 0..45 {
            step(&mut world);
            let energy = world.output().report.energy.as_ref();
            let energy = energy.expect("an account");
            most = most.max(energy.kinetic + energy.elastic + energy.potential);
            least_dissipated = least_dissipated.min(energy.dissipated);
            max_work = max_work.max(energy.work.abs());
        }
        // they fell with more than 1 J, from where their energy is zero; what contact gives is missing in the dissipated energy
        assert!(most < 0.01, "{stiffness} Pa: {most} J");
        assert!(
            least_dissipated > -0.01,
            "{stiffness} Pa: {least_dissipated} J"
        );
        assert!(max_work < 1e-6, "{stiffness} Pa: {max_work} J");
    }
}
