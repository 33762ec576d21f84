//! Half the frame step, the same stiffness: the force on a tool does not depend on the frame step, unless a parameter of the scene does.

use std::sync::Arc;

use pliant_core::scene::Method;
use pliant_simulation::setup::Setup;

use crate::pad::{PRESS_KEYS, pad, run, upward_force, world};

/// Pressed 3 mm deep and held, then 6 mm deep and held, each until it has settled.
const TWO_DEPTHS: &str = "{ t = 0.0, at = [0.002, 0.353, 0.001] }, { t = 0.4, at = [0.002, 0.347, 0.001] }, { t = 1.2, at = [0.002, 0.347, 0.001] }, { t = 1.6, at = [0.002, 0.344, 0.001] }";

/// The pad in `frame_rate` frames a second.
fn at(frame_rate: &str, lattice: &str) -> Arc<Setup> {
    pad(&[
        (PRESS_KEYS, TWO_DEPTHS),
        ("frame_rate = 60.0", frame_rate),
        ("half_width = 1", lattice),
    ])
}

/// Slope of the force between the two depths, N/m.
fn slope(setup: &Arc<Setup>, method: Method) -> f64 {
    let mut world = world(setup, method);
    run(&mut world, setup, 1.2);
    let shallow = upward_force(&world);
    run(&mut world, setup, 1.2);
    (upward_force(&world) - shallow) / 0.003
}

/// Change of the slope where frames are half as long.
fn change(method: Method, lattice: &str) -> f64 {
    let [whole, half] =
        ["frame_rate = 60.0", "frame_rate = 120.0"].map(|rate| slope(&at(rate, lattice), method));
    assert!(whole > 500.0, "{}: {whole} N/m", method.name());
    half / whole - 1.0
}

#[test]
fn half_the_frame_step_changes_no_stiffness() {
    for method in Method::ALL {
        let change = change(method, "half_width = 1");
        assert!(change.abs() < 0.02, "{}: by {change:.4}", method.name());
    }
}

/// A goal share stands for a stiffness at one step only: the modulus is inversely proportional to the square of the step. If half the step had the same stiffness, something would have
/// calibrated the lattice.
#[test]
fn a_given_goal_share_is_four_times_as_stiff_in_half_the_step() {
    let change = change(Method::Lattice, "half_width = 1, alpha = 0.5, steps = 8");
    assert!((change - 3.0).abs() < 0.1, "by {change:.4}");
}
