//! Laws of frames in which one body fails.

use pliant_core::boundary::{BoundaryConditions, DisplacementConstraint};
use pliant_core::inspect::Inspect;
use pliant_core::math::Vec3;
use pliant_core::model::{DeformableModel, FrameRequest, SteppedModel};

use crate::BodyGroup;
use crate::testing::lump::Lump;
use crate::testing::stacked_bodies::{run, standing};

/// so many steps that none of the tries has enough
const NEVER: u32 = 1 << 20;

fn stack() -> BodyGroup<Lump> {
    let mut group = standing(3);
    run(&mut group, 12, 9.81);
    group
}

fn positions(group: &BodyGroup<Lump>) -> Vec<Vec3> {
    group.models().iter().flat_map(|m| m.x.clone()).collect()
}

#[test]
fn a_failed_frame_is_repeated_with_more_steps() {
    let steps = stack().models()[0].steps;
    let (mut hurt, mut fine) = (stack(), stack());
    hurt.models_mut()[1].needed = 3 * steps;
    // the body that has them from the beginning
    fine.models_mut()[1].steps = 4 * steps;
    for group in [&mut hurt, &mut fine] {
        run(group, 1, 9.81);
    }
    assert_eq!(positions(&hurt), positions(&fine));
    assert!(hurt.snapshot() == fine.snapshot());
    assert!(hurt.frozen().is_empty());
}

#[test]
fn a_body_that_fails_stops_and_is_named_and_the_others_go_on() {
    let mut group = stack().named(["low", "middle", "high"].map(String::from).to_vec());
    let before = group.models()[1].x.clone();
    group.models_mut()[1].needed = NEVER;
    run(&mut group, 200, 9.81);
    let [frozen] = group.frozen() else {
        panic!("{:?}", group.frozen());
    };
    assert_eq!(frozen.body, 1);
    assert!(frozen.cause.contains("not finite"), "{frozen:?}");
    let notes = group.stats().notes;
    assert!(
        notes
            .iter()
            .any(|n| n.starts_with("middle: body 2 of 3 stands still")),
        "{notes:?}"
    );
    let [low, stopped, high] = [0, 1, 2].map(|k| group.models()[k].center().y);
    assert_eq!(group.models()[1].x, before);
    // the lower one has fallen to the floor, the upper one lies on the one that stands still
    assert!((low - 0.075).abs() < 0.01, "{low}");
    assert!((high - stopped - 0.15).abs() < 0.01, "{high} {stopped}");
    let mut again = standing(3);
    again.restore(&group.snapshot()).expect("its own");
    assert_eq!(again.frozen().len(), 1);
    assert!(again.snapshot() == group.snapshot());
    // gravity wakes all but the one
    run(&mut group, 1, 1.62);
    assert_eq!(group.models()[1].x, before);
    group.models_mut()[1].needed = 0;
    group.reset();
    run(&mut group, 10, 9.81);
    assert!(group.frozen().is_empty() && group.models()[1].x != before);
}

#[test]
fn where_no_body_can_go_on_the_frame_fails_and_nothing_has_moved() {
    let mut group = stack();
    for lump in group.models_mut() {
        lump.needed = NEVER;
    }
    let before = group.snapshot();
    let gravity = BoundaryConditions::with_gravity(Vec3::new(0.0, -9.81, 0.0));
    let mut frame = || group.advance(FrameRequest::new(1.0 / 60.0, &gravity));
    let error = frame().expect_err("none can");
    assert!(error.to_string().contains("not finite"), "{error}");
    assert!(group.frozen().is_empty() && group.snapshot() == before);
    for lump in group.models_mut() {
        lump.needed = 0;
    }
    assert!(group.models()[2].node_velocities()[0] != Vec3::zeros());
    run(&mut group, 1, 9.81);
}

#[test]
fn constraints_that_a_body_has_released_have_no_force_and_keep_their_places() {
    let mut group = stack();
    let second = group.models()[0].surface().vertex_count() as u32;
    // lumps keep no constraints
    let held = [0, second, second + 1].map(|v| DisplacementConstraint::held(v, Vec3::zeros()));
    let mut boundary = BoundaryConditions::with_gravity(Vec3::new(0.0, -9.81, 0.0));
    boundary.set_displacements(held).expect("sorted");
    let request = FrameRequest::new(1.0 / 60.0, &boundary);
    group.advance(request).expect("a frame");
    assert_eq!(group.reactions(), [Vec3::zeros(); 3]);
}
