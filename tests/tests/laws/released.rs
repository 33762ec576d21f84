//! A tool that goes away leaves no dent and no contact.

use pliant_core::mesh::SurfaceFrame;
use pliant_core::scene::Method;
use pliant_simulation::setup::Setup;

use crate::pad::{PRESS, pad, push, run, world};

/// Pressed, held until 1 s, and away from 1.5 s on.
const AND_AWAY: &str = "{ t = 0.0, at = [0.002, 0.353, 0.001] }, { t = 0.5, at = [0.002, 0.344, 0.001] }, { t = 1.0, at = [0.002, 0.344, 0.001] }, { t = 1.5, at = [0.002, 0.36, 0.001] }";

/// Root of the mean square of how far the skin is from rest, weighted by area, diagonals.
fn dent(setup: &Setup, frame: &SurfaceFrame) -> f64 {
    let rest = SurfaceFrame::at_rest(setup.skin());
    let mut sum = 0.0;
    for (v, area) in setup.areas.iter().enumerate() {
        sum += area * (frame.position(v) - rest.position(v)).norm_squared();
    }
    (sum / setup.areas.iter().sum::<f64>()).sqrt() / setup.diagonal
}

#[test]
fn a_released_body_comes_back_and_nothing_touches_it() {
    let setup = pad(&[(PRESS, AND_AWAY)]);
    for method in Method::ALL {
        let name = method.name();
        let mut world = world(&setup, method);
        run(&mut world, &setup, 1.0);
        let pressed = dent(&setup, world.frame());
        assert!(pressed > 1e-3, "{name}: a dent of {pressed:e} diagonals");
        assert!(world.in_contact() && push(&world) > 1.0, "{name}");
        run(&mut world, &setup, 1.0);
        let left = dent(&setup, world.frame());
        assert!(left < 1e-4, "{name}: {left:e} diagonals from rest");
        assert!(!world.in_contact(), "{name}: something touches it still");
        assert_eq!(world.contacts().count(), 0, "{name}");
        assert_eq!(push(&world), 0.0, "{name}");
    }
}
