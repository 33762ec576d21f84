//! One body of several goes wrong.

use pliant_adaptive::{AdaptiveModel, AdaptiveParams, Precision, Resolution, Scheme};
use pliant_contact::{BodyGroup, GroupOptions};
use pliant_core::boundary::{BoundaryConditions, DisplacementConstraint};
use pliant_core::inspect::Inspect;
use pliant_core::math::Vec3;
use pliant_core::model::{DeformableModel, FrameRequest, OwnContact};

use crate::bodies::{FRAME, frame, weight};
use crate::group::levels::{SIDE, center, cube, floor, free, group, model, run, throw};

/// Three bodies above each other, the middle one far to the side.
pub fn three(models: Vec<AdaptiveModel>) -> BodyGroup<AdaptiveModel> {
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
    three((0..3).map(|_| model(&asset, Precision::F32)).collect())
}

/// Blows the nodes of a body apart.
fn tear(group: &mut BodyGroup<AdaptiveModel>, body: usize) {
    let model = &mut group.models_mut()[body];
    let x = model.node_positions().to_vec();
    let v: Vec<Vec3> = x.iter().map(|x| (x * 1e3).map(f64::sin) * 1e6).collect();
    model.set_state(&x, &v);
    group.touch_up();
}

/// The outer two lie on each other; from the beginning all three move again.
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
fn a_body_that_bursts_stops_and_is_named_and_the_others_come_to_rest() {
    let mut group = three_cubes();
    run(&mut group, 10, &weight());
    let before = group.models()[1].node_positions().to_vec();
    tear(&mut group, 1);
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
    assert_eq!(group.models()[1].node_positions(), before);
    rest_and_start_over(&mut group);
}

#[test]
fn a_neighbour_that_was_hit_by_what_burst_is_not_blamed() {
    let asset = cube(1000.0, 0.2);
    let models = (0..2).map(|_| model(&asset, Precision::F32)).collect();
    let at = [Vec3::zeros(), Vec3::new(0.0, SIDE, 0.0)];
    let mut group = group(models, &at, free());
    run(&mut group, 2, &weight());
    tear(&mut group, 1);
    run(&mut group, 3, &weight());
    let frozen: Vec<u32> = group.frozen().iter().map(|f| f.body).collect();
    assert_eq!(frozen, [1]);
    assert!(
        group.models()[0]
            .node_positions()
            .iter()
            .flatten()
            .all(|x| x.is_finite())
    );
}

#[test]
fn what_is_hit_too_hard_for_its_steps_gets_more_of_them() {
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
fn a_lone_body_that_bursts_fails_with_its_cause_and_stays_where_it_was() {
    let asset = cube(1000.0, 0.2);
    let mut group = group(
        vec![model(&asset, Precision::F32)],
        &[Vec3::zeros()],
        free(),
    );
    run(&mut group, 3, &weight());
    tear(&mut group, 0);
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
fn a_hand_that_is_too_fast_is_named() {
    let mut group = three_cubes();
    run(&mut group, 2, &weight());
    let skin = group.models()[0].surface().clone();
    let mut boundary = BoundaryConditions::default();
    let held = (0..skin.vertex_count() as u32).step_by(3).map(|vertex| {
        DisplacementConstraint::held(
            vertex,
            skin.positions[vertex as usize] + Vec3::new(0.0, 4e4 + f64::from(vertex) * 1e3, 0.0),
        )
        .moving(Vec3::new(0.0, 6e5, 0.0))
    });
    boundary.set_displacements(held).expect("valid");
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
fn nodes_with_steps_of_their_own_are_not_stepped_with_others() {
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
