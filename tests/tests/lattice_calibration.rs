//! The calibrated lattice is a solid with the modulus that the scene asks for and with Poisson's ratio 0.

use std::sync::Arc;

use pliant_core::scene::Method;
use pliant_simulation::setup::Setup;
use pliant_simulation::world::{Interaction, World};
use pliant_tests::{model, scene, setup};

fn displaced(body: &str, select: &str, to: [f64; 3]) -> Arc<Setup> {
    let [x, y, z] = to;
    setup(&scene(&format!(
        r#"
        schema = 1
        name = "displaced"
        gravity = [0.0, 0.0, 0.0]
        compare = {{ material = "nu0" }}
        [[body]]
        {body}
        [[grab]]
        name = "hand"
        select = {select}
        motion = {{ path = "go" }}
        [[path]]
        name = "go"
        interpolation = "smooth"
        keys = [ {{ t = 0.0, at = [0.0, 0.0, 0.0] }}, {{ t = 1.0, at = [{x:?}, {y:?}, {z:?}] }} ]
        "#
    )))
}

/// Length of the grab's force after so many seconds, N.
fn force(setup: &Arc<Setup>, method: Method, seconds: f64) -> f64 {
    let mut world = World::new(method, model(setup, method), Arc::clone(setup));
    for _ in 0..setup.frames(seconds) {
        world.step_frame(&Interaction::default()).expect("it moves");
    }
    world.output().grab_forces[0].norm()
}

#[test]
fn every_length_of_a_bar_adds_the_compliance_of_its_modulus() {
    // A clamped end is softer than a continuum, because its regions are cut off: it adds compliance, but the same to every bar. What a
    // longer bar adds is the material's.
    let (young, area, stretch) = (2.0e4, 0.1 * 0.1, 0.001);
    for (half_width, ends) in [(1, 2.0), (2, 6.0)] {
        let compliance = |method, length: f64| {
            let end = length / 2.0 - 0.001;
            let setup = displaced(
                &format!(
                    r#"
                    name = "bar"
                    mesh = {{ procedural = "bar", size = [{length:?}, 0.1, 0.1], edge = 0.05 }}
                    material = {{ young = {young:?}, density = 1000.0, zeta = 1.0 }}
                    support = [ {{ name = "wall", select = {{ half_space = {{ point = [-{end:?}, 0.0, 0.0], normal = [-1.0, 0.0, 0.0] }} }} }} ]
                    lattice = {{ cell = 0.05, half_width = {half_width} }}
                    "#
                ),
                &format!(
                    "{{ half_space = {{ point = [{end:?}, 0.0, 0.0], normal = [1.0, 0.0, 0.0] }} }}"
                ),
                [stretch, 0.0, 0.0],
            );
            stretch / force(&setup, method, 5.0)
        };
        let (short, long) = (
            compliance(Method::Lattice, 1.0),
            compliance(Method::Lattice, 1.5),
        );
        let reached = 0.5 / area / (long - short);
        assert!(
            (reached / young - 1.0).abs() < 0.001,
            "half-width {half_width}: {reached} Pa"
        );
        // in cells of the bar
        let softness = (short * young * area - 1.0) / 0.05;
        assert!(
            softness > 0.0 && softness < ends,
            "half-width {half_width}: the ends add {softness} cells"
        );
        let fem = compliance(Method::Quasistatic, 1.0) * young * area;
        assert!((fem - 1.0).abs() < 1e-6, "{fem}");
    }
}

/// A block of 14 x 10 x 14 cells of 50 mm, held below, half-width 1; part of its top is displaced downwards by 5 mm.
fn patch(select: &str) -> Arc<Setup> {
    displaced(
        r#"
        name = "block"
        mesh = { procedural = "box", size = [0.7, 0.5, 0.7], edge = 0.05 }
        material = { young = 24000.0, density = 1000.0, zeta = 1.0 }
        support = [ { name = "base", select = { lowest = 0.001 } } ]
        lattice = { cell = 0.05, half_width = 1 }
        "#,
        select,
        [0.0, -0.005, 0.0],
    )
}

#[test]
fn local_loads_are_those_of_an_independent_program() {
    for (select, expected) in [
        (
            "{ sphere = { center = [0.0, 0.25, 0.0], radius = 0.001 } }",
            3.54,
        ),
        (
            "{ sphere = { center = [0.0, 0.25, 0.0], radius = 0.125 } }",
            30.2,
        ),
    ] {
        let setup = patch(select);
        let held = setup.grabs[0].vertices.len();
        let found = force(&setup, Method::Lattice, 5.0);
        assert!(
            (found / expected - 1.0).abs() < 0.01,
            "{held} vertices: {found} N, expected {expected} N"
        );
    }
}

#[test]
fn a_poke_is_within_17_percent_of_finite_elements_without_lateral_strain() {
    // the lattice is softer under small patches, whose waves are shorter than its regions; seen with `--nocapture`
    for radius in [0.5, 1.5, 2.5] {
        let setup = displaced(
            r#"
            name = "block"
            mesh = { procedural = "box", size = [0.5, 0.4, 0.5], edge = 0.05 }
            material = { young = 24000.0, density = 1000.0, zeta = 1.0 }
            support = [ { name = "base", select = { lowest = 0.001 } } ]
            lattice = { cell = 0.05, half_width = 1 }
            "#,
            &format!(
                "{{ sphere = {{ center = [0.0, 0.2, 0.0], radius = {:?} }} }}",
                0.05 * radius
            ),
            [0.0, -0.002, 0.0],
        );
        let lattice = force(&setup, Method::Lattice, 5.0);
        let finite_elements = force(&setup, Method::Quasistatic, 1.2);
        let ratio = lattice / finite_elements;
        eprintln!(
            "poke of {radius} cells at half-width 1: {lattice:.2} N, finite elements {finite_elements:.2} N, ratio {ratio:.3}"
        );
        assert!((ratio - 1.0).abs() < 0.17, "{radius} cells: {ratio}");
    }
}
