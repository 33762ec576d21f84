//! Tools, supports, loads.

use pliant_core::boundary::{
    BoundaryConditions, ConstraintKind, DisplacementConstraint, NodalLoad,
};
use pliant_core::material::Damping;
use pliant_core::math::Vec3;
use pliant_core::model::{DeformableModel, FrameReport};

use crate::testing::bodies::{body_of, constrained, grid_of, model_of, run, vertices};
use crate::{LatticeModel, LatticeParams, Precision};

fn block() -> LatticeModel {
    let params = LatticeParams::default().damped(0.4);
    model_of(&body_of(grid_of([4, 4, 4], |_| true), 0.001), &params)
}

/// skin vertices in the middle of the top
fn top(model: &LatticeModel) -> Vec<u32> {
    vertices(&model.asset.skin, |x| {
        x.y > 0.099 && x.x.abs() < 0.06 && x.z.abs() < 0.06
    })
}

fn press(model: &LatticeModel, depth: f64, speed: f64, kind: ConstraintKind) -> BoundaryConditions {
    constrained(top(model).into_iter().map(|vertex| {
        let target = model.asset.skin.positions[vertex as usize] - Vec3::y() * depth;
        let constraint = match kind {
            ConstraintKind::Bilateral => DisplacementConstraint::held(vertex, target),
            ConstraintKind::Unilateral => {
                DisplacementConstraint::contact(vertex, target, -Vec3::y())
            }
        };
        constraint.moving(Vec3::y() * -speed)
    }))
}

/// presses a centimetre deep within a third of a second and holds
fn press_and_hold(model: &mut LatticeModel, kind: ConstraintKind) -> FrameReport {
    for k in 1..=20 {
        let boundary = press(model, 0.01 * f64::from(k) / 20.0, 0.03, kind);
        run(model, 1, &boundary).expect("stable");
    }
    let hold = press(model, 0.01, 0.0, kind);
    run(model, 240, &hold).expect("stable")
}

#[test]
fn a_held_tool_and_the_support_balance() {
    for kind in [ConstraintKind::Unilateral, ConstraintKind::Bilateral] {
        let mut model = block();
        let report = press_and_hold(&mut model, kind);
        let tool: Vec3 = model.reactions().iter().sum();
        let support: Vec3 = model.support_reactions().iter().sum();
        assert!(tool.y < -1.0, "{tool:?}");
        assert!(
            (tool + support).norm() < 0.01 * tool.norm(),
            "{tool:?} {support:?}"
        );
        assert!(report.max_violation < 1e-5, "{}", report.max_violation);
        let energy = report.energy.expect("a lattice has energy");
        assert!(energy.balance().abs() < 1e-6 * energy.scale(), "{energy:?}");
        assert!(energy.work > 0.0 && energy.dissipated > 0.0);
        // a linear spring stores half of force times depth
        assert!(
            (energy.elastic / (-0.5 * tool.y * 0.01) - 1.0).abs() < 0.05,
            "{energy:?}"
        );
        // the patch is softer than the block's whole cross-section, E A δ/l = 40 N, and stiffer than its own column alone, 10 N
        assert!(tool.y > -40.0 && tool.y < -10.0, "{tool:?}");
    }
}

/// A free block, in this precision.
fn free_block(precision: Precision) -> LatticeModel {
    let params = LatticeParams::default().damped(0.3).in_precision(precision);
    model_of(&body_of(grid_of([4, 4, 4], |_| true), -1.0), &params)
}

/// A plate under the block that is at `height` (m) when the frame ends and rises with `speed`, m/s.
fn plate(model: &LatticeModel, height: f64, speed: f64) -> BoundaryConditions {
    let lowest = vertices(&model.asset.skin, |x| x.y < -0.099).into_iter();
    constrained(lowest.map(|vertex| {
        DisplacementConstraint::contact(vertex, Vec3::y() * height, Vec3::y())
            .moving(Vec3::y() * speed)
    }))
}

#[test]
fn a_floor_at_rest_does_no_work_on_what_falls_on_it() {
    const FALL: f64 = 0.02;
    for precision in [Precision::Double, Precision::Single] {
        let mut model = free_block(precision);
        let mut floor = plate(&model, -0.1 - FALL, 0.0);
        floor.gravity = Vec3::new(0.0, -9.81, 0.0);
        let released = model.asset.mass.iter().sum::<f64>() * 9.81 * FALL;
        let mut dissipated = 0.0;
        for _ in 0..90 {
            let report = run(&mut model, 1, &floor).expect("stable");
            let energy = report.energy.expect("a lattice has energy");
            assert_eq!(energy.work, 0.0);
            // a step gains and loses a little in the impact
            let open = energy.balance().abs();
            assert!(open < 0.1 * released, "{open} of {released}");
            dissipated = energy.dissipated;
        }
        assert!(dissipated > 0.5 * released, "{dissipated} of {released}");
    }
}

#[test]
fn a_change_of_gravity_counts_as_work() {
    let mut model = block();
    let down = Vec3::new(0.0, -9.81, 0.0);
    let mut work = Vec::new();
    // the block swings when gravity goes and when it comes again
    for (frames, gravity) in [(4, down), (9, Vec3::zeros()), (3, down)] {
        let mut boundary = constrained([]);
        boundary.gravity = gravity;
        let report = run(&mut model, frames, &boundary).expect("stable");
        let energy = report.energy.expect("a lattice has energy");
        assert!(energy.balance().abs() < 1e-6 * energy.scale(), "{energy:?}");
        work.push(energy.work);
    }
    assert!(work[0] == 0.0 && work[1] > 0.0, "{work:?}");
}

#[test]
fn the_work_of_a_tool_is_its_impulse_times_its_speed() {
    // a plate that rises strikes a block at rest
    const SPEED: f64 = 0.3;
    for precision in [Precision::Double, Precision::Single] {
        let mut model = free_block(precision);
        let (mut work, mut counted, mut dissipated) = (0.0, 0.0, 0.0);
        for k in 1..=20 {
            let height = -0.102 + SPEED * f64::from(k) / 60.0;
            let boundary = plate(&model, height, SPEED);
            let report = run(&mut model, 1, &boundary).expect("stable");
            let energy = report.energy.expect("a lattice has energy");
            let force: f64 = model.reactions().iter().map(|force| force.y).sum();
            work += force / 60.0 * SPEED;
            (counted, dissipated) = (energy.work, energy.dissipated);
        }
        assert!(work > 0.0, "the plate strikes");
        assert!(dissipated > 0.0, "contact has no restitution");
        assert!((counted / work - 1.0).abs() < 1e-9, "{counted} {work}");
    }
}

#[test]
fn the_resting_shape_does_not_depend_on_damping() {
    let forces = [0.05, 0.4].map(|zeta| {
        let mut model = block();
        model.material.damping = Damping::Ratio(zeta);
        press_and_hold(&mut model, ConstraintKind::Unilateral);
        model.reactions().iter().sum::<Vec3>().y
    });
    assert!((forces[0] / forces[1] - 1.0).abs() < 1e-3, "{forces:?}");
}

#[test]
fn a_lifted_tool_lets_go() {
    let mut model = block();
    press_and_hold(&mut model, ConstraintKind::Unilateral);
    let away = press(&model, -0.02, 0.0, ConstraintKind::Unilateral);
    run(&mut model, 1, &away).expect("stable");
    assert!(model.reactions().iter().all(|f| f.norm() < 1e-12));
    run(&mut model, 240, &away).expect("stable");
    let worst = (0..model.x.len())
        .map(|p| (model.x[p] - model.asset.rest_position(p)).norm())
        .fold(0.0, f64::max);
    assert!(worst < 1e-5, "{worst}");
}

#[test]
fn supports_carry_weight_and_loads() {
    let mut model = block();
    let mut boundary = BoundaryConditions::with_gravity(Vec3::new(0.0, -9.81, 0.0));
    let corner = top(&model)[0];
    boundary.set_loads([NodalLoad {
        vertex: corner,
        force: Vec3::new(0.5, -1.0, 0.0),
    }]);
    let report = run(&mut model, 400, &boundary).expect("stable");
    let expected = Vec3::new(-0.5, 1.0 + 8.0 * 9.81, 0.0);
    let support = model.support_reactions()[0];
    assert!(
        (support - expected).norm() < 1e-3 * expected.norm(),
        "{support:?}"
    );
    let energy = report.energy.expect("a lattice has energy");
    assert!(energy.balance().abs() < 1e-3 * energy.scale(), "{energy:?}");
}
