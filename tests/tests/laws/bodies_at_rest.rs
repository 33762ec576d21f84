//! Several bodies that sleep at rest: none sleeps that moves, and what moves wakes what it touches.

use pliant_core::scene::Method;
use pliant_tests::{scene, setup};

use crate::pad::{run, step, world};

/// Flat blocks of 0.5 kg, in a grid with this spacing, m.
fn blocks(
    (frame_rate, gravity): (f64, f64),
    (grid, spacing): ([usize; 3], f64),
    rest: &str,
) -> String {
    format!(
        r#"
        schema = 1
        name = "blocks"
        frame_rate = {frame_rate}
        gravity = [0.0, -{gravity}, 0.0]
        methods = ["adaptive", "lattice"]
        [[body]]
        name = "block"
        mesh = {{ procedural = "box", size = [0.1, 0.05, 0.1], edge = 0.0125, rest_on_floor = true }}
        material = {{ young = 2.0e5, poisson = 0.3, density = 1000.0, zeta = 0.3 }}
        layout = {{ grid = {grid:?}, spacing = {spacing}, origin = [0.0, 0.0, 0.0] }}
        adaptive = {{ nodes = [60, 300] }}
        lattice = {{ cells_longest = 8, friction = 0.3 }}
        {rest}
        "#
    )
}

/// Weight of a block, N.
const WEIGHT: f64 = 0.5 * 9.81;
/// A plane below the blocks.
const FLOOR: &str = r#"
    [[tool]]
    name = "floor"
    shape = { half_space = { point = [0.0, 0.0, 0.0], normal = [0.0, 1.0, 0.0] } }
    contact = { kind = "coulomb", mu_s = 0.3 }
"#;

fn on_both_methods(
    text: &str,
    law: impl Fn(Method, &std::sync::Arc<pliant_simulation::setup::Setup>),
) {
    let setup = setup(&scene(text));
    for method in [Method::Adaptive, Method::Lattice] {
        law(method, &setup);
    }
}

#[test]
fn bodies_in_the_air_fall_whatever_the_frame_rate_and_the_gravity() {
    let probe = "[[probe]]\nname = 'top'\nat = { nearest_surface_point = [0.0, 0.05, 0.0] }";
    for (frame_rate, gravity, seconds) in [(2000.0, 9.81, 0.1), (60.0, 0.02, 3.0)] {
        let text = blocks((frame_rate, gravity), ([2, 1, 1], 0.3), probe);
        on_both_methods(&text, |method, setup| {
            let mut world = world(setup, method);
            run(&mut world, setup, seconds);
            let fallen = -world.output().probes[0].y;
            let exact = 0.5 * gravity * seconds * seconds;
            assert!(
                (fallen / exact - 1.0).abs() < 0.03,
                "{} at {frame_rate} Hz: {fallen} m of {exact} m",
                method.name()
            );
        });
    }
}

#[test]
fn what_lies_on_a_support_follows_it_down_however_slowly_it_goes() {
    // 2 mm in a second, then 0.5 mm in a second
    let text = blocks(
        (60.0, 9.81),
        ([1, 2, 1], 0.055),
        r#"
        [[tool]]
        name = "plate"
        shape = { box = { size = [0.3, 0.1, 0.3], rounding = 0.001 } }
        contact = { kind = "coulomb", mu_s = 0.5 }
        motion = { path = "down" }
        [[path]]
        name = "down"
        keys = [ { t = 0.0, at = [0.0, -0.05, 0.0] }, { t = 2.0, at = [0.0, -0.05, 0.0] },
                 { t = 3.0, at = [0.0, -0.052, 0.0] }, { t = 5.0, at = [0.0, -0.053, 0.0] } ]
        [[probe]]
        name = "upper"
        at = { nearest_surface_point = [0.0, 0.106, 0.0] }
        "#,
    );
    on_both_methods(&text, |method, setup| {
        let mut world = world(setup, method);
        run(&mut world, setup, 2.0);
        let at_rest = world.output().probes[0].y;
        for (seconds, way) in [(1.0, -0.002), (2.0, -0.003)] {
            run(&mut world, setup, seconds);
            let moved = world.output().probes[0].y - at_rest;
            assert!((moved - way).abs() < 3e-4, "{}: {moved} m", method.name());
        }
    });
}

#[test]
fn a_row_of_blocks_is_pushed_with_the_force_of_its_friction() {
    let text = blocks(
        (60.0, 9.81),
        ([3, 1, 1], 0.102),
        &format!(
            "{FLOOR}{}",
            r#"
            [[tool]]
            name = "pusher"
            shape = { box = { size = [0.1, 0.048, 0.08], rounding = 0.005 } }
            motion = { path = "along" }
            [[path]]
            name = "along"
            keys = [ { t = 0.0, at = [-0.205, 0.025, 0.0] }, { t = 2.0, at = [-0.205, 0.025, 0.0] }, { t = 6.0, at = [-0.185, 0.025, 0.0] } ]
            [[probe]]
            name = "last"
            at = { nearest_surface_point = [0.102, 0.05, 0.0] }
            "#
        ),
    );
    on_both_methods(&text, |method, setup| {
        let mut world = world(setup, method);
        run(&mut world, setup, 2.0);
        let mut largest = 0.0_f64;
        for _ in 0..setup.frames(4.0) {
            step(&mut world);
            largest = largest.max(world.output().wrenches[1].force.x.abs());
        }
        // the blocks stand 2 mm apart, so that each is hit once
        let friction = 0.3 * 3.0 * WEIGHT;
        assert!(largest < 2.0 * friction, "{}: {largest} N", method.name());
        let moved = world.output().probes[0].x;
        assert!(moved > 0.008, "{}: the last moved {moved} m", method.name());
    });
}

#[test]
fn a_floor_carries_the_weight_of_a_stack_that_sleeps_whatever_the_frame_rate() {
    for frame_rate in [60.0, 240.0] {
        let text = blocks((frame_rate, 9.81), ([1, 3, 1], 0.051), FLOOR);
        on_both_methods(&text, |method, setup| {
            let mut world = world(setup, method);
            run(&mut world, setup, 4.0);
            let share = -world.output().wrenches[0].force.y / (3.0 * WEIGHT);
            assert!(
                (share - 1.0).abs() < 0.03,
                "{} at {frame_rate} Hz: {share} of the weight",
                method.name()
            );
        });
    }
}
