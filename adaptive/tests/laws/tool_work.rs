//! The work of tools on a single body is their force times their velocity. What contact takes counts as dissipated.

use pliant_adaptive::{AdaptiveModel, Precision};
use pliant_core::boundary::{BoundaryConditions, DisplacementConstraint};
use pliant_core::math::Vec3;
use pliant_core::model::{DeformableModel, EnergyAccount};

use crate::bodies::{FRAME, GRAVITY, constrained, frame, momenta, vertices};
use crate::group::cut_bodies::{self, PLENTY};
use crate::group::levels::{self, SIDE};

/// A cube on a cut, which cannot change since it has one level, and one of a single level, with this damping ratio.
fn bodies(zeta: f64) -> [AdaptiveModel; 2] {
    let asset = levels::cube(1000.0, zeta);
    [
        cut_bodies::model(&asset, PLENTY),
        levels::model(&asset, Precision::F64),
    ]
}

/// A plate under the cube that is at `height` (m) when the frame ends and rises with `speed`, m/s.
fn plate(body: &AdaptiveModel, height: f64, speed: f64) -> BoundaryConditions {
    let lowest = vertices(body.surface(), |x| x.y < -0.499 * SIDE);
    constrained(lowest.into_iter().map(|vertex| {
        DisplacementConstraint::contact(vertex, Vec3::y() * height, Vec3::y())
            .moving(Vec3::y() * speed)
    }))
}

#[test]
fn a_floor_at_rest_does_no_work_on_what_falls_on_it() {
    let fall = 0.02;
    let released = 1000.0 * SIDE.powi(3) * 9.81 * fall;
    for mut body in bodies(0.3) {
        let mut floor = plate(&body, -0.5 * SIDE - fall, 0.0);
        floor.gravity = GRAVITY;
        let mut energy = EnergyAccount::default();
        for _ in 0..60 {
            energy = frame(&mut body, &floor).energy.expect("an account");
            assert!(energy.work.abs() < 1e-9 * released, "{energy:?}");
        }
        assert!(energy.dissipated > 0.5 * released, "{energy:?} {released}");
        let open = energy.balance().abs();
        assert!(open < 0.05 * released, "{open} of {released}");
    }
}

#[test]
fn the_work_of_a_tool_is_the_momentum_that_it_gives_times_its_speed() {
    // a plate that rises strikes a cube at rest; contact has no restitution
    const SPEED: f64 = 0.3;
    for mut body in bodies(0.0) {
        let mut energy = EnergyAccount::default();
        let mut impulse = 0.0;
        for k in 1..=20 {
            let height = -0.5 * SIDE - 0.002 + SPEED * FRAME * f64::from(k);
            let boundary = plate(&body, height, SPEED);
            energy = frame(&mut body, &boundary).energy.expect("an account");
            let force: f64 = body.reactions().iter().map(|force| force.y).sum();
            impulse += force * FRAME;
        }
        let work = impulse * SPEED;
        assert!(work > 0.0, "the plate strikes");
        assert!((energy.work / work - 1.0).abs() < 1e-9, "{energy:?} {work}");
        let momentum = momenta(&body).0.y;
        assert!((momentum / impulse - 1.0).abs() < 1e-6, "{momentum}");
        assert!(energy.dissipated > 0.0, "{energy:?}");
        // explicit steps near the stability limit leave an error
        assert!(energy.balance().abs() < 0.02 * work, "{energy:?} {work}");
    }
}

#[test]
fn a_restored_body_goes_on_with_the_same_account() {
    for mut body in bodies(0.3) {
        let at = |body: &AdaptiveModel, k: i32| {
            let height = -0.5 * SIDE + 0.1 * FRAME * f64::from(k);
            plate(body, height, 0.1)
        };
        let mut saved = None;
        for k in 1..=6 {
            if k == 4 {
                saved = Some(body.snapshot());
            }
            let boundary = at(&body, k);
            frame(&mut body, &boundary);
        }
        let end = body.snapshot();
        body.restore(&saved.expect("frame 4")).expect("its own");
        for k in 4..=6 {
            let boundary = at(&body, k);
            frame(&mut body, &boundary);
        }
        assert!(body.snapshot() == end);
    }
}
