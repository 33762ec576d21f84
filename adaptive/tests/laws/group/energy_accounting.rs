//! Slowing and stopping bodies that hardly move takes energy, which the account contains.

use pliant_adaptive::{AdaptiveModel, Precision};
use pliant_contact::GroupOptions;
use pliant_core::math::Vec3;
use pliant_core::model::OwnContact;

use crate::bodies::{With, weight};
use crate::group::cut_bodies::{self, PLENTY};
use crate::group::levels::{self, SIDE, floor, group, run, throw};

/// A cube on a cut, and one of a single level.
fn bodies() -> [AdaptiveModel; 2] {
    [
        cut_bodies::model(&cut_bodies::cube(1000.0, 0.3), PLENTY),
        levels::model(&levels::cube(1000.0, 0.3), Precision::F64),
    ]
}

/// m/s: less than the largest speed at rest
const SLOW: f64 = 5e-4;
/// m/s: more than that, and little enough for settling
const SETTLING: f64 = 4e-3;

#[test]
fn the_energy_of_a_body_that_falls_asleep_counts_as_dissipated() {
    for body in bodies() {
        let options = GroupOptions::default().with(|p| p.settling = 0.0);
        let mut group = group(vec![body], &[Vec3::new(0.0, 0.076, 0.0)], options);
        group.set_tools(&[floor(Vec3::y(), 0.0)]);
        run(&mut group, 300, &weight());
        assert!(group.is_asleep(0), "it rests on the floor");
        // along the floor, which has no friction
        throw(&mut group, &[Vec3::x() * SLOW]);
        let first = run(&mut group, 1, &weight()).energy.expect("an account");
        let moving = 0.5 * 1000.0 * SIDE.powi(3) * SLOW * SLOW;
        assert!((first.kinetic / moving - 1.0).abs() < 0.01, "{first:?}");
        let mut frames = 0;
        while !group.is_asleep(0) {
            run(&mut group, 1, &weight());
            frames += 1;
            assert!(frames < 60, "it does not fall asleep");
        }
        // the frame in which it fell asleep, one asleep, and one after it was woken
        for wakes in [false, false, true] {
            if wakes {
                group.models_mut();
            }
            let last = run(&mut group, 1, &weight()).energy.expect("an account");
            let lost = last.dissipated - first.dissipated;
            assert!(last.kinetic < 0.01 * moving, "{last:?}");
            assert!((lost / moving - 1.0).abs() < 0.05, "{last:?} {first:?}");
            let open = (last.balance() - first.balance()).abs();
            assert!(open < 0.05 * moving, "{open} of {moving}");
        }
    }
}

#[test]
fn the_energy_that_settling_takes_counts_as_dissipated() {
    for settling in [0.0, 3.0] {
        for body in bodies() {
            let options = GroupOptions::default()
                .with(|p| p.settling = settling)
                .with(|p| p.sleeping = false);
            let mut group = group(vec![body], &[Vec3::new(0.0, 0.076, 0.0)], options);
            group.set_tools(&[floor(Vec3::y(), 0.0)]);
            run(&mut group, 150, &weight());
            // on a floor without friction, faster than the threshold for sleeping and slow enough to settle
            throw(&mut group, &[Vec3::x() * SETTLING]);
            let first = run(&mut group, 1, &weight()).energy.expect("an account");
            let moving = 0.5 * 1000.0 * SIDE.powi(3) * SETTLING * SETTLING;
            let last = run(&mut group, 40, &weight()).energy.expect("an account");
            match settling > 0.0 {
                true => assert!(last.kinetic < 0.05 * moving, "{last:?} {moving}"),
                false => assert!(last.kinetic > 0.9 * moving, "{last:?} {moving}"),
            }
            let open = (last.balance() - first.balance()).abs();
            assert!(open < 0.02 * moving, "{settling}: {open} of {moving}");
        }
    }
}
