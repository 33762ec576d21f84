//! Failure of one body of several.

use pliant_adaptive::{AdaptiveModel, AdaptiveParams, Precision, Resolution, Scheme};
use pliant_contact::{BodyGroup, GroupOptions};
use pliant_core::boundary::DisplacementConstraint;
use pliant_core::inspect::Inspect;
use pliant_core::math::Vec3;
use pliant_core::model::{DeformableModel, FrameRequest, OwnContact};

use crate::bodies::{FRAME, constrained, frame, weight};
use crate::group::levels::{SIDE, center, cube, floor, free, group, model, run, throw};

/// Three bodies above each other, the middle one far to the side.
pub fn three_bodies(models: Vec<AdaptiveModel>) -> BodyGroup<AdaptiveModel> {
    let at = [
        Vec3::new(0.0, 0.1, 0.0),
        Vec3::new(2.0, 0.3, 0.0),
        Vec3::new(0.01, 0.3, 0.0),
    ];
    let mut group = group(models, &at, GroupOptions::default());
    group.set_tools(&[floor(Vec3::y(), 0.5)]);
    group
}

fn three_cubes() -> BodyGroup<AdaptiveModel> {
    let asset = cube(1000.0, 0.2);
    three_bodies((0..3).map(|_| model(&asset, Precision::F32)).collect())
}

/// Gives the nodes of a body velocities that make it diverge.
pub fn explode(group: &mut BodyGroup<AdaptiveModel>, body: usize) {
    let model = &mut group.models_mut()[body];
    let x = model.level_positions().to_vec();
    let v: Vec<Vec3> = x.iter().map(|x| (x * 1e3).map(f64::sin) * 1e6).collect();
    model.set_state(&x, &v);
    group.touch_up();
}

/// Asserts that the outer two lie on each other, and that all three move again after a reset.
pub fn rest_and_start_over(group: &mut BodyGroup<AdaptiveModel>) {
    let heights = [0, 2].map(|k| center(&group.models()[k]).y);
    assert!((heights[0] - 0.5 * SIDE).abs() < 0.01, "{heights:?}");
    assert!((heights[1] - 1.5 * SIDE).abs() < 0.01, "{heights:?}");
    group.reset();
    run(group, 10, &weight());
    assert!(group.frozen().is_empty());
    assert!(center(&group.models()[1]).y - 0.3 < -0.1, "it falls again");
}

#[test]
fn a_body_that_diverges_stops_and_is_reported_and_the_others_come_to_rest() {
    let mut group = three_cubes();
    run(&mut group, 10, &weight());
    let before = group.models()[1].level_positions().to_vec();
    explode(&mut group, 1);
    run(&mut group, 1, &weight());
    let [frozen] = group.frozen() else {
        panic!("{:?}", group.frozen());
    };
    assert_eq!(frozen.body, 1);
    assert!(
        frozen.cause.contains("the kinetic energy reached"),
        "{frozen:?}"
    );
    let notes = group.stats().notes;
    let told = |n: &String| n.starts_with("body 2 of 3 stands still") && n.contains("level 0");
    assert!(notes.iter().any(told), "{notes:?}");
    run(&mut group, 300, &weight());
    assert_eq!(group.frozen().len(), 1);
    assert_eq!(group.models()[1].level_positions(), before);
    rest_and_start_over(&mut group);
}

#[test]
fn a_neighbour_of_a_diverged_body_is_not_reported() {
    let asset = cube(1000.0, 0.2);
    let models = (0..2).map(|_| model(&asset, Precision::F32)).collect();
    let at = [Vec3::zeros(), Vec3::new(0.0, SIDE, 0.0)];
    let mut group = group(models, &at, free());
    run(&mut group, 2, &weight());
    explode(&mut group, 1);
    run(&mut group, 3, &weight());
    let frozen: Vec<u32> = group.frozen().iter().map(|f| f.body).collect();
    assert_eq!(frozen, [1]);
    assert!(
        group.models()[0]
            .level_positions()
            .iter()
            .flatten()
            .all(|x| x.is_finite())
    );
}

#[test]
fn a_body_in_a_hard_impact_gets_more_steps() {
    let asset = cube(1000.0, 0.1);
    let mut least = model(&asset, Precision::F64);
    let alone = frame(&mut least, &weight()).substeps;
    // a very soft body that moves by more than its size in a frame, against a wall
    let mut group = group(
        vec![model(&asset, Precision::F64)],
        &[Vec3::new(0.0, 0.1, 0.0)],
        free(),
    );
    group.set_tools(&[floor(Vec3::y(), 0.5)]);
    throw(&mut group, &[Vec3::y() * -20.0]);
    let mut most = 0;
    for _ in 0..30 {
        most = run(&mut group, 1, &weight()).substeps.max(most);
    }
    assert!(most > 2 * alone, "{most} steps, {alone} at rest");
    assert!(group.frozen().is_empty());
    assert!(center(&group.models()[0]).y > 0.0);
}

#[test]
fn a_single_body_that_diverges_fails_with_its_cause_and_keeps_its_state() {
    let asset = cube(1000.0, 0.2);
    let mut group = group(
        vec![model(&asset, Precision::F32)],
        &[Vec3::zeros()],
        free(),
    );
    run(&mut group, 3, &weight());
    explode(&mut group, 0);
    let before = group.snapshot();
    let boundary = weight();
    let error = group.advance(FrameRequest::new(FRAME, &boundary));
    let error = error.expect_err("it bursts").to_string();
    assert!(
        error.contains("adaptive") && error.contains("kinetic energy"),
        "{error}"
    );
    assert!(group.snapshot() == before);
}

#[test]
fn a_constraint_that_is_too_fast_is_reported() {
    let mut group = three_cubes();
    run(&mut group, 2, &weight());
    let skin = group.models()[0].surface().clone();
    let held = (0..skin.vertex_count() as u32).step_by(3).map(|vertex| {
        DisplacementConstraint::held(
            vertex,
            skin.positions[vertex as usize] + Vec3::new(0.0, 4e4 + f64::from(vertex) * 1e3, 0.0),
        )
        .moving(Vec3::new(0.0, 6e5, 0.0))
    });
    let boundary = constrained(held);
    run(&mut group, 1, &boundary);
    let [frozen] = group.frozen() else {
        panic!("{:?}", group.frozen());
    };
    assert!(
        frozen.body == 0 && frozen.cause.contains("too fast"),
        "{frozen:?}"
    );
    assert_eq!(group.reactions().len(), boundary.displacements().len());
    assert!(group.reactions().iter().all(|f| *f == Vec3::zeros()));
}

#[test]
fn the_node_jump_scheme_is_refused_in_groups() {
    let asset = cube(1000.0, 0.2);
    let params = AdaptiveParams {
        resolution: Resolution::Cut,
        scheme: Scheme::NodeJump,
        budget_units: 1_000_000,
        ..AdaptiveParams::default()
    };
    let cut = AdaptiveModel::new(asset, params).expect("fits");
    let mut group = group(vec![cut], &[Vec3::zeros()], free());
    let boundary = weight();
    let error = group.advance(FrameRequest::new(FRAME, &boundary));
    let error = error.expect_err("nodes jump").to_string();
    assert!(
        error.contains("adaptive.scheme has to be `element-impulses`"),
        "{error}"
    );
}
