//! A static case for two methods: a unit cube that is clamped at the bottom, with a bonded patch at the top that is displaced.
//!
//! Converged stiffness of the patch (spectral elements, linear elasticity): 65,632 N/m normal, 15,647 N/m lateral. A mesh of 8 x 8 x 8
//! cells of six linear tetrahedra each is too stiff by a known amount. Its forces, with the linear and with the Green strain, were computed
//! with an independent program on the same mesh: direct solutions, Newton iterations to round-off.

use std::sync::Arc;

use pliant_core::math::Vec3;
use pliant_core::scene::Method;
use pliant_simulation::setup::Setup;
use pliant_tests::{run, scene, setup, world};

/// Displacement of the patch, m.
const DEPTH: f64 = 0.001;

struct Case {
    direction: [f64; 3],
    /// Force of the converged linear body at this depth, N.
    converged: f64,
    /// Force of 729 nodes with the linear strain, N.
    linear: f64,
    /// The same with the Green strain, N.
    green_strain: f64,
}

const NORMAL: Case = Case {
    direction: [0.0, -1.0, 0.0],
    converged: 65.632_063,
    linear: 77.358_549_897,
    green_strain: 77.209_169_192,
};

const LATERAL: Case = Case {
    direction: [1.0, 0.0, 0.0],
    converged: 15.647_186,
    linear: 18.065_053_507,
    green_strain: 18.064_288_263,
};

fn cube(case: &Case, precision: &str, greens_parameters: &str) -> Arc<Setup> {
    let target = case.direction.map(|d| format!("{:.6}", d * DEPTH));
    let target = target.join(", ");
    setup(&scene(&format!(
        r#"
        schema = 1
        name = "static case"
        gravity = [0.0, 0.0, 0.0]
        [[body]]
        name = "cube"
        mesh = {{ procedural = "box", size = [1.0, 1.0, 1.0], edge = 0.125 }}
        material = {{ young = 1.0e5, poisson = 0.3, density = 1000.0, zeta = 0.5 }}
        support = [ {{ name = "bottom", select = {{ lowest = 0.001 }} }} ]
        adaptive = {{ target_edges = [0.125], budget_ms = 1000.0, precision = "{precision}", resolution = "level", calibrate = false }}
        quasistatic = {{ {greens_parameters} }}
        [[grab]]
        name = "patch"
        select = {{ box = {{ min = [-0.25, 0.499, -0.25], max = [0.25, 0.501, 0.25] }} }}
        motion = {{ path = "press" }}
        [[path]]
        name = "press"
        interpolation = "smooth"
        keys = [ {{ t = 0.0, at = [0.0, 0.0, 0.0] }}, {{ t = 0.5, at = [{target}] }} ]
        "#
    )))
}

/// Force along the displacement after so many seconds, N.
fn force(
    case: &Case,
    method: Method,
    precision: &str,
    greens_parameters: &str,
    seconds: f64,
) -> f64 {
    let setup = cube(case, precision, greens_parameters);
    assert_eq!(setup.grabs[0].vertices.len(), 25);
    let mut world = world(&setup, method);
    run(&mut world, &setup, seconds);
    let output = world.output();
    let [patch] = output.grab_forces[..] else {
        panic!("one grab");
    };
    let balance = patch + output.support_forces[0];
    assert!(
        balance.norm() < 1e-4 * patch.norm(),
        "{method:?}: {balance:?}"
    );
    patch.dot(&Vec3::from(case.direction))
}

fn agree(case: &Case, expected_error: f64) {
    let linear_elements = r#"elements = "linear""#;
    let linear = force(case, Method::Quasistatic, "f64", linear_elements, 0.6);
    let green_strain = force(case, Method::Adaptive, "f64", linear_elements, 6.0);
    let single_precision = force(case, Method::Adaptive, "f32", linear_elements, 6.0);
    // quadratic elements on the same mesh are nearer: too soft where the patch constrains corner nodes alone, and much nearer with traction on faces
    let relative_error = |greens_parameters| {
        force(case, Method::Quasistatic, "f64", greens_parameters, 0.6) / case.converged - 1.0
    };
    let (corners, faces) = (relative_error(r#"loads = "corners""#), relative_error(""));
    assert!(
        -0.8 * expected_error < corners && corners < 0.0,
        "{corners:.4} off"
    );
    assert!(faces.abs() < 0.05, "{faces:.4} off");
    for force in [linear, green_strain, single_precision] {
        let error = force / case.converged - 1.0;
        assert!(
            (error - expected_error).abs() < 0.02,
            "{force} N is {error:.4} above the converged force, expected {expected_error}"
        );
    }
    let check = |force: f64, expected: f64, tolerance: f64| {
        let error = (force / expected - 1.0).abs();
        assert!(error < tolerance, "{force} N, expected {expected} N");
    };
    // condensed Green's functions are exactly those of the linear elements of this mesh
    check(linear, case.linear, 1e-8);
    // settled explicit dynamics is the static solution
    check(green_strain, case.green_strain, 1e-7);
    // element forces in single precision have seven digits
    check(single_precision, case.green_strain, 1e-6);
}

#[test]
fn a_patch_pressed_down_has_the_same_force_in_both_methods() {
    agree(&NORMAL, 0.18);
}

#[test]
fn a_patch_pushed_sideways_has_the_same_force_in_both_methods() {
    agree(&LATERAL, 0.16);
}
