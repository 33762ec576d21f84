//! A free body that is crushed as it falls costs about its budget: elements that would need more steps get inertia instead.

use pliant_core::model::Degradation;
use pliant_core::scene::Method;
use pliant_tests::{scene, setup};

use crate::pad::{step, world};

/// A bear falls 0.2 m on a floor. Its paws are crushed: they would need twice the budget.
const SCENE: &str = r#"
    schema = 1
    name = "dropped bear"
    frame_rate = 60.0
    gravity = [0.0, -9.81, 0.0]
    duration = 1.0
    methods = ["adaptive"]
    [[body]]
    name = "bear"
    mesh = { procedural = "bear", longest = 0.15, edge = 0.008 }
    material = { young = 3.0e4, poisson = 0.3, density = 300.0 }
    adaptive = { budget_ms = 8.0, calibrate = false }
    [[tool]]
    name = "floor"
    shape = { half_space = { point = [0.0, -0.2, 0.0], normal = [0.0, 1.0, 0.0] } }
"#;

/// Evaluations of the budget of 8 ms.
const BUDGET: u64 = 8_000_000 / 12;

/// Frames of the scene.
const FRAMES: usize = 50;

#[test]
fn it_keeps_the_budget_gains_no_energy_and_is_restored_to_the_same_bits() {
    let setup = setup(&scene(SCENE));
    let mut world = world(&setup, Method::Adaptive);
    let (mut max_work, mut max_energy, mut fallen) = (0, 0.0_f64, 0.0_f64);
    let mut snapshot = None;
    for frame in 0..FRAMES {
        step(&mut world);
        let report = &world.output().report;
        max_work = max_work.max(report.work_used);
        if report.degraded == Some(Degradation::FewerSubsteps) && snapshot.is_none() {
            snapshot = Some((frame, world.snapshot()));
        }
        let report = &world.output().report;
        let energy = report.energy.as_ref().expect("an account");
        max_energy = max_energy.max(energy.kinetic + energy.elastic + energy.potential);
        fallen = fallen.min(energy.potential);
    }
    let (saved, snapshot) = snapshot.expect("a frame that needs more than the budget");
    assert!(max_work < BUDGET * 7 / 5, "{max_work} of {BUDGET}");
    assert!(
        max_energy < -0.02 * fallen,
        "{max_energy} J after a fall of {fallen} J"
    );
    let end = (world.frame().clone(), world.output().report.energy);
    world.restore(&snapshot).expect("the same model");
    for _ in saved + 1..FRAMES {
        step(&mut world);
    }
    assert!(*world.frame() == end.0, "other bits after a restore");
    assert_eq!(world.output().report.energy, end.1);
}
