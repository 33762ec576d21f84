//! Tools touch the faces of a cut.

use std::sync::Arc;

use pliant_core::math::Vec3;
use pliant_core::scene::Method;
use pliant_simulation::setup::Setup;
use pliant_simulation::world::World;
use pliant_tests::{scene, setup};

use crate::pad::{assert_restored, run, world};

/// A bar is held at its left end. A blade cuts off its right half, which falls. A ball comes from the right and presses the middle of the cut face, far from all of the skin.
const BAR: &str = r#"
    schema = 1
    name = "cut faces"
    frame_rate = 60.0
    gravity = [0.0, -9.81, 0.0]
    methods = ["adaptive", "lattice"]
    [[body]]
    name = "bar"
    mesh = { procedural = "bar", size = [0.16, 0.08, 0.08], edge = 0.01 }
    material = { young = 2.0e5, poisson = 0.0, density = 1000.0, zeta = 0.2 }
    support = [ { name = "wall", select = { half_space = { point = [-0.079, 0.0, 0.0], normal = [-1.0, 0.0, 0.0] } } } ]
    adaptive = { target_edges = [0.02], calibrate = false, budget_ms = 1000.0 }
    lattice = { cell = 0.01, half_width = 1, calibrate = false }
    [[tool]]
    name = "blade"
    shape = { blade = { length = 0.2, height = 0.05 } }
    motion = { path = "down" }
    [[tool]]
    name = "ball"
    shape = { sphere = { radius = 0.02 } }
    motion = { path = "press" }
    [[path]]
    name = "down"
    keys = [
        { t = 0.0, at = [0.003, 0.1, 0.0], turn = [0.0, 90.0, 0.0] },
        { t = 0.2, at = [0.003, -0.15, 0.0], turn = [0.0, 90.0, 0.0] },
    ]
    [[path]]
    name = "press"
    keys = [
        { t = 0.0, at = [0.12, 0.0, 0.0] }, { t = 0.6, at = [0.12, 0.0, 0.0] },
        { t = 1.0, at = [0.025, 0.0, 0.0] }, { t = 1.2, at = [0.019, 0.0, 0.0] },
    ]
"#;

/// Force on the ball, N.
fn force(world: &World) -> Vec3 {
    world.output().wrenches[1].force
}

/// The world after the ball has pressed the face for a while.
fn pressed(setup: &Arc<Setup>, method: Method) -> World {
    let mut world = world(setup, method);
    run(&mut world, setup, 0.95);
    assert!(world.frame().cut.is_some(), "{}: it is cut", method.name());
    assert_eq!(
        force(&world),
        Vec3::zeros(),
        "{}: away from the face",
        method.name()
    );
    run(&mut world, setup, 0.35);
    world
}

#[test]
fn a_ball_feels_the_face_of_a_cut() {
    let setup = setup(&scene(BAR));
    for method in [Method::Adaptive, Method::Lattice] {
        let name = method.name();
        let world = pressed(&setup, method);
        let force_on_ball = force(&world);
        // Hertz: 10 N for 4 mm into a half space
        assert!(
            force_on_ball.x > 1.0 && force_on_ball.x < 30.0,
            "{name}: {force_on_ball:?}"
        );
        assert!(
            force_on_ball.y.hypot(force_on_ball.z) < 0.5 * force_on_ball.x,
            "{name}: {force_on_ball:?}"
        );
        let reactions: Vec3 = world.model().reactions().iter().sum();
        assert!(
            (force_on_ball + reactions).norm() <= 1e-12 * force_on_ball.norm(),
            "{name}"
        );
        // nothing of the face is left inside of the ball
        let cut = world.frame().cut.as_ref().expect("a cut");
        let ball = Vec3::new(0.019, 0.0, 0.0);
        let depth = |v: usize| 0.02 - (cut.frame.position(v) - ball).norm();
        let deepest = cut.inside.clone().map(depth).fold(0.0, f64::max);
        assert!(deepest < 1e-3, "{name}: {deepest} m");
    }
}

#[test]
fn a_restored_cut_is_touched_to_the_same_bits() {
    let setup = setup(&scene(BAR));
    for method in [Method::Adaptive, Method::Lattice] {
        let mut worlds = [pressed(&setup, method), world(&setup, method)];
        assert_restored(&mut worlds, 1, method.name());
    }
}
