//! What contact takes, and what slowing and stopping bodies that hardly move takes, counts as dissipated. The work of tools is their force times their velocity.

use pliant_adaptive::{AdaptiveModel, Precision};
use pliant_contact::GroupOptions;
use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::Vec3;
use pliant_core::model::{EnergyAccount, OwnContact};

use crate::bodies::{FRAME, With, momenta, weight};
use crate::group::cut_bodies::{self, PLENTY};
use crate::group::levels::{self, SIDE, floor, free, group, run, throw};

/// A cube on a cut, and one of a single level, with this damping ratio.
fn bodies_with(zeta: f64) -> [AdaptiveModel; 2] {
    [
        cut_bodies::model(&cut_bodies::cube(1000.0, zeta), PLENTY),
        levels::model(&levels::cube(1000.0, zeta), Precision::F64),
    ]
}

/// The same with much damping.
fn bodies() -> [AdaptiveModel; 2] {
    bodies_with(0.3)
}

#[test]
fn the_work_of_a_tool_is_the_momentum_that_it_gives_times_its_speed() {
    // a plate that rises strikes a cube at rest; contact has no restitution
    const SPEED: f64 = 0.3;
    for body in bodies_with(0.0) {
        let mut group = group(vec![body], &[Vec3::y() * (0.5 * SIDE + 0.002)], free());
        let mut plate = floor(Vec3::y(), 0.0);
        let mut energy = EnergyAccount::default();
        for _ in 0..20 {
            plate.begin = plate.end;
            plate.end.position.y += SPEED * FRAME;
            group.set_tools(std::slice::from_ref(&plate));
            let report = run(&mut group, 1, &BoundaryConditions::default());
            energy = report.energy.expect("an account");
        }
        let work = momenta(&group.models()[0]).0.y * SPEED;
        assert!((energy.work / work - 1.0).abs() < 1e-6, "{energy:?} {work}");
        assert!(energy.dissipated > 0.0, "{energy:?}");
        // explicit steps near the stability limit leave an error of 0.3 %
        assert!(energy.balance().abs() < 0.01 * work, "{energy:?} {work}");
    }
}

#[test]
fn a_floor_at_rest_does_no_work_on_what_falls_on_it() {
    let fall = 0.02;
    for body in bodies() {
        let mut group = group(vec![body], &[Vec3::y() * (0.5 * SIDE + fall)], free());
        group.set_tools(&[floor(Vec3::y(), 0.5)]);
        let released = 1000.0 * SIDE.powi(3) * 9.81 * fall;
        let mut energy = EnergyAccount::default();
        for _ in 0..60 {
            let report = run(&mut group, 1, &weight());
            energy = report.energy.expect("an account");
            assert!(energy.work.abs() < 1e-9 * released, "{energy:?}");
        }
        assert!(energy.dissipated > 0.5 * released, "{energy:?} {released}");
        let open = energy.balance().abs();
        assert!(open < 0.05 * released, "{open} of {released}");
    }
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
