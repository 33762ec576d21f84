//! After a tool has left, the body returns to rest and has no contact.

use pliant_core::mesh::SurfaceFrame;
use pliant_core::scene::Method;
use pliant_simulation::setup::Setup;

use crate::pad::{PRESS_KEYS, pad, run, upward_force, world};

/// The ball is pressed in, held until 1 s, and away from the pad from 1.5 s on.
const RELEASE_KEYS: &str = "{ t = 0.0, at = [0.002, 0.353, 0.001] }, { t = 0.5, at = [0.002, 0.344, 0.001] }, { t = 1.0, at = [0.002, 0.344, 0.001] }, { t = 1.5, at = [0.002, 0.36, 0.001] }";

/// Root mean square of the displacements of the skin, weighted by area, diagonals.
fn rms_displacement(setup: &Setup, frame: &SurfaceFrame) -> f64 {
    let rest = SurfaceFrame::at_rest(setup.skin());
    let mut sum = 0.0;
    for (v, area) in setup.areas.iter().enumerate() {
        sum += area * (frame.position(v) - rest.position(v)).norm_squared();
    }
    (sum / setup.areas.iter().sum::<f64>()).sqrt() / setup.diagonal
}

#[test]
fn a_released_body_returns_to_rest_without_contact() {
    let setup = pad(&[(PRESS_KEYS, RELEASE_KEYS)]);
    for method in Method::ALL {
        let name = method.name();
        let mut world = world(&setup, method);
        run(&mut world, &setup, 1.0);
        let pressed = rms_displacement(&setup, world.frame());
        assert!(pressed > 1e-3, "{name}: a dent of {pressed:e} diagonals");
        assert!(world.in_contact() && upward_force(&world) > 1.0, "{name}");
        run(&mut world, &setup, 1.0);
        let remaining = rms_displacement(&setup, world.frame());
        assert!(
            remaining < 1e-4,
            "{name}: {remaining:e} diagonals from rest"
        );
        assert!(!world.in_contact(), "{name}: something touches it still");
        assert_eq!(world.contacts().count(), 0, "{name}");
        assert_eq!(upward_force(&world), 0.0, "{name}");
    }
}
