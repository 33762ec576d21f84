//! A free body that meets a floor in the middle of a frame is followed by shorter steps, or by inertia where the budget does not suffice. No frame has to be repeated.

use pliant_adaptive::{AdaptiveModel, AdaptiveParams};
use pliant_core::boundary::{BoundaryConditions, DisplacementConstraint};
use pliant_core::material::Material;
use pliant_core::math::Vec3;
use pliant_core::model::{DeformableModel, FrameReport, FrameRequest, WorkBudget};

use crate::bodies::{FRAME, baked, block, constrained, counter, model};

/// Half the waves' speed in the body, m/s: what hits the floor at this speed is crushed flat.
const SPEED: f64 = 2.5;
/// From the body to the floor, m: the body moves on freely in the first frame, and meets the floor in the second one.
const GAP: f64 = 0.05;

/// A free cube that moves towards a floor, and the constraints of the floor on its skin.
fn thrown() -> (AdaptiveModel, BoundaryConditions) {
    let material = Material::isotropic(2e4, 0.3).with_damping_ratio(0.02);
    let asset = baked(&block(Vec3::repeat(0.1), &[[4, 4, 4]], material, None));
    let mut cube = model(&asset, AdaptiveParams::default());
    let velocities = vec![Vec3::y() * -SPEED; cube.level_nodes().len()];
    cube.set_state(&[], &velocities);
    let all = (0..).zip(&cube.surface().positions);
    let floor = constrained(all.map(|(vertex, x)| {
        let target = Vec3::new(x.x, -0.05 - GAP, x.z);
        DisplacementConstraint::contact(vertex, target, Vec3::y())
    }));
    (cube, floor)
}

fn frame_within(cube: &mut AdaptiveModel, floor: &BoundaryConditions, units: u64) -> FrameReport {
    let request = FrameRequest::new(FRAME, floor).within(WorkBudget(units));
    let report = cube.advance(request).expect("advances");
    assert_eq!(counter(&*cube, "failed_attempts"), 0.0);
    report
}

/// Kinetic and elastic energy after a frame, J.
fn energy(report: &FrameReport) -> f64 {
    let energy = report.energy.expect("an account");
    energy.kinetic + energy.elastic
}

#[test]
fn steps_become_shorter_within_the_frame_where_the_budget_suffices() {
    let (mut cube, floor) = thrown();
    let units = u64::from(u32::MAX);
    let before = frame_within(&mut cube, &floor, units);
    let contact = frame_within(&mut cube, &floor, units);
    assert!(
        contact.substeps > before.substeps,
        "{} steps",
        contact.substeps
    );
    for _ in 0..20 {
        assert_eq!(counter(&cube, "yielding"), 0.0);
        let after = frame_within(&mut cube, &floor, units);
        assert!(
            energy(&after) < 1.02 * energy(&before),
            "{} J of {} J",
            energy(&after),
            energy(&before)
        );
    }
}

#[test]
fn elements_get_inertia_within_the_frame_where_the_budget_does_not_suffice() {
    let (mut cube, floor) = thrown();
    // just what the cube needs at rest
    let units = frame_within(&mut cube, &floor, u64::from(u32::MAX)).work_used;
    let snapshot = cube.snapshot();
    let contact = frame_within(&mut cube, &floor, units);
    let scaled = counter(&cube, "yielding");
    assert!(scaled > 0.0, "{} steps", contact.substeps);
    let one_step = contact.work_used / u64::from(contact.substeps);
    assert!(
        contact.work_used <= units + one_step,
        "{} of {units}",
        contact.work_used
    );
    for _ in 0..10 {
        frame_within(&mut cube, &floor, units);
    }
    let end = cube.snapshot();
    cube.restore(&snapshot).expect("the same cube");
    for _ in 0..11 {
        frame_within(&mut cube, &floor, units);
    }
    assert!(cube.snapshot() == end, "other bits after a restore");
}
