//! A body with levels moves on its cut until a blade reaches it.

use std::sync::Arc;

use pliant_adaptive::{AdaptiveModel, AdaptiveParams, LevelChoice, LodHierarchy, Resolution};
use pliant_core::boundary::{BoundaryConditions, DisplacementConstraint};
use pliant_core::inspect::{Inspect, ParameterValue};
use pliant_core::math::Vec3;
use pliant_core::model::{DeformableModel, FrameRequest, SnapshotMismatch, WorkBudget};
use pliant_core::scene::Selection;

use super::skin::assert_closed;
use super::{SIZE, pieces, sweep_down};
use crate::bodies::{
    FRAME, With, baked_block, bits, constrained, frame, frames, model, shown, vertices,
};
use crate::cut::cuts::set_by_rest;

fn asset() -> Arc<LodHierarchy> {
    let foot = Some(Selection::Lowest(0.01));
    baked_block(SIZE, &[[4, 2, 2], [8, 4, 4]], 0.1, foot)
}

fn params(blades: bool) -> AdaptiveParams {
    AdaptiveParams::default()
        .with(|p| p.resolution = Resolution::Cut)
        .with(|p| p.budget_units = 1 << 30)
        .with(|p| p.blades = blades)
}

fn weight() -> BoundaryConditions {
    BoundaryConditions::with_gravity(Vec3::new(4.0, -9.81, 1.0))
}

/// Height of the blade when frame `k` begins, m: it waits above the body for eight frames, and goes through it in five.
fn height(k: i32) -> f64 {
    0.9 - 0.2 * f64::from((k - 7).clamp(0, 6))
}

fn step(body: &mut AdaptiveModel, k: i32) {
    let blade = sweep_down(0.013, height(k), height(k + 1));
    body.set_blades(&[blade]).expect("a blade");
    frame(body, &weight());
}

#[test]
fn a_body_that_no_blade_reaches_has_the_bits_of_one_without_blades() {
    let asset = asset();
    let mut body = model(&asset, params(true));
    let mut without = model(&asset, params(false));
    for k in 0..8 {
        step(&mut body, k);
        frame(&mut without, &weight());
        let [(state, skin), (expected, expected_skin)] = [&body, &without].map(bits);
        // the first number is the level
        assert!(state[1..] == expected[1..] && skin == expected_skin, "{k}");
    }
    assert!(body.cut().is_some());
    assert_eq!((pieces(&body), body.cut_edges().len()), (1, 0));
    assert_eq!(without.pieces(), None);
    assert_eq!(body.restore(&without.snapshot()), Err(SnapshotMismatch));
    assert!(body.cut().is_some());
    assert_eq!(without.restore(&body.snapshot()), Err(SnapshotMismatch));
}

#[test]
fn a_blade_that_reaches_the_body_cuts_the_level_that_it_would_have_cut_from_the_start() {
    let asset = asset();
    let mut body = model(&asset, params(true));
    let level = params(true).with(|p| p.resolution = Resolution::Level);
    let mut on_level = model(&asset, level);
    let words = |body: &AdaptiveModel| body.explain(0).expect("a vertex");
    for k in 0..20 {
        step(&mut body, k);
        step(&mut on_level, k);
        if k == 7 {
            assert!(body.cut().is_some() && !words(&body).contains("blade"));
        }
    }
    assert!(body.cut().is_none());
    assert_eq!(body.level(), on_level.level());
    assert!(words(&body).contains("since a blade has reached the body"));
    assert!(!words(&on_level).contains("blade"));
    let notes = body.stats().notes;
    assert!(notes.iter().any(|n| n.starts_with("HandedOver: ")));
    assert_eq!((pieces(&body), pieces(&on_level)), (2, 2));
    // the same edges but for some that the other motion brings to the blade elsewhere
    let [edges, expected] = [&body, &on_level].map(|b| b.cut_edges().len() as f64);
    assert!((edges / expected - 1.0).abs() < 0.1, "{edges} {expected}");
    let [skin, other] = [&body, &on_level].map(shown);
    for v in 0..asset.skin.vertex_count() {
        let apart = (skin.position(v) - other.position(v)).norm();
        assert!(apart < 2e-3, "{v}: {apart} m");
    }
}

#[test]
fn states_before_and_after_the_hand_over_are_restored_to_the_same_bits() {
    let asset = asset();
    let mut body = model(&asset, params(true));
    (0..5).for_each(|k| step(&mut body, k));
    let before = body.snapshot();
    (5..12).for_each(|k| step(&mut body, k));
    assert!(body.cut().is_none() && !body.cut_edges().is_empty());
    let after = body.snapshot();
    (12..16).for_each(|k| step(&mut body, k));
    let last = bits(&body);
    let mut other = model(&asset, params(true));
    for body in [&mut body, &mut other] {
        body.restore(&before).expect("the same body");
        assert!(body.cut().is_some());
        assert_eq!((pieces(body), body.cut_edges().len()), (1, 0));
        (5..16).for_each(|k| step(body, k));
        assert!(bits(body) == last);
        body.restore(&before).expect("the same body");
        body.restore(&after).expect("the same body");
        assert!(body.cut().is_none() && !body.cut_edges().is_empty());
        (12..16).for_each(|k| step(body, k));
        assert!(bits(body) == last);
        // damaged, it changes nothing
        let mut bad = before.clone();
        bad.values.truncate(40);
        assert_eq!(body.restore(&bad), Err(SnapshotMismatch));
        assert!(bits(body) == last);
    }
    body.reset();
    assert!(body.cut().is_some());
    (0..16).for_each(|k| step(&mut body, k));
    assert!(bits(&body) == last);
}

#[test]
fn a_parameter_holds_before_and_after_the_hand_over() {
    let mut body = model(&asset(), params(true));
    let safety = ParameterValue::Number;
    body.set_parameter("safety", safety(0.4)).expect("in range");
    let springs = ParameterValue::Choice("spring".into());
    for k in 0..12 {
        assert!(body.set_parameter("law", springs.clone()).is_err(), "{k}");
        step(&mut body, k);
    }
    assert!(body.cut().is_none());
    assert_eq!(body.parameter("safety"), Ok(safety(0.4)));
    body.set_parameter("safety", safety(0.3)).expect("in range");
    body.reset();
    assert!(body.cut().is_some());
    assert_eq!(body.parameter("safety"), Ok(safety(0.3)));
}

#[test]
fn a_hand_that_moves_the_body_to_a_resting_blade_within_a_frame_counts() {
    let asset = asset();
    // without what the support holds
    let end = vertices(&asset.skin, |x| x.x > 0.5 * SIZE.x - 1e-6 && x.y > 0.0);
    // further away than an edge of a tetrahedron
    let ahead = 0.5 * SIZE.x + 0.1;
    let goes_over = |pull: f64| {
        let mut body = model(&asset, params(true));
        let boundary = constrained(end.iter().map(|&v| {
            let target = asset.skin.positions[v as usize] + Vec3::x() * pull;
            DisplacementConstraint::held(v, target)
        }));
        let resting = sweep_down(ahead, 0.03, 0.03);
        body.set_blades(&[resting]).expect("a blade");
        frame(&mut body, &boundary);
        body.cut().is_none()
    };
    assert_eq!([0.0, 0.05].map(goes_over), [false, true]);
}

#[test]
fn a_budget_of_a_frame_holds_after_the_hand_over_as_on_a_level() {
    let asset = asset();
    let level = params(true).with(|p| p.resolution = Resolution::Level);
    let mut body = model(&asset, params(true));
    let mut on_level = model(&asset, level);
    for k in 0..12 {
        step(&mut body, k);
        step(&mut on_level, k);
    }
    assert!(body.cut().is_none());
    let weight = weight();
    for body in [&mut body, &mut on_level] {
        let mut degraded = |budget: WorkBudget| {
            let request = FrameRequest::new(FRAME, &weight).within(budget);
            body.advance(request).expect("advances").degraded
        };
        assert_eq!(degraded(WorkBudget::UNLIMITED), None);
        assert!(degraded(WorkBudget(1)).is_some());
    }
}

/// A body on the nodes of its finest level, bent and at rest. Blades cut its coarsest level, which has another skin.
fn bent(asset: &Arc<LodHierarchy>) -> AdaptiveModel {
    let params = params(true)
        .with(|p| p.level = LevelChoice::Index(0))
        .with(|p| p.floor_share = 0.5);
    let mut body = model(asset, params);
    frames(&mut body, &BoundaryConditions::default(), 6);
    let cut = body.cut_mut().expect("a cut");
    set_by_rest(cut, |x| (x + Vec3::y() * (0.3 * x.x * x.x), Vec3::zeros()));
    body
}

/// From where the level puts each vertex of the skin to where it is shown, m.
fn offsets(body: &AdaptiveModel) -> Vec<Vec3> {
    let (skin, rows) = (shown(body), &body.moving_level().embedding);
    let offset = |v: usize| skin.position(v) - rows.interpolate(v, body.level_positions());
    (0..skin.positions.len()).map(offset).collect()
}

/// The vertex with the largest offset, and the offset, m.
fn largest(offsets: &[Vec3]) -> (usize, f64) {
    let sizes = offsets.iter().map(|offset| offset.norm()).enumerate();
    sizes.fold((0, 0.0), |a, b| if b.1 > a.1 { b } else { a })
}

#[test]
fn the_skin_stays_in_its_place_at_the_hand_over_and_fades_to_that_of_the_level() {
    let (asset, still) = (asset(), BoundaryConditions::default());
    // the blade only comes near, or goes through
    for bottom in [0.15, -0.3] {
        let mut body = bent(&asset);
        let before = shown(&body);
        let blade = sweep_down(0.013, 0.35, bottom);
        body.set_blades(&[blade]).expect("a blade");
        // nothing moves in so short a frame
        let request = FrameRequest::new(1e-7, &still);
        body.advance(request).expect("advances");
        assert!(body.cut().is_none() && body.level() == 0);
        assert_eq!(body.cut_edges().is_empty(), bottom > 0.0);
        let after = shown(&body);
        for v in 0..before.positions.len() {
            let jump = (after.position(v) - before.position(v)).norm();
            assert!(jump < 1e-7, "{v}: {jump} m");
        }
        let first = offsets(&body);
        let (farthest, offset) = largest(&first);
        assert!(offset > 1e-5, "{offset} m");
        // what is touched stays on its tool, also where it is a lip
        let (touched, of_skin) = match &after.cut {
            None => (farthest, Some(farthest)),
            Some(cut) => (cut.inside.start, cut.skin_vertex(cut.inside.start)),
        };
        let place = after.touchable(touched).0;
        let held = constrained([DisplacementConstraint::held(touched as u32, place)]);
        let mut other = body.clone();
        frame(&mut other, &held);
        let left = offsets(&other)[of_skin.expect("a lip")].norm();
        assert!(left < 1e-7, "{left} m");
        for k in 1..=7_u8 {
            frame(&mut body, &still);
            let t = (f64::from(k) / 6.0).min(1.0);
            let share = 1.0 - t * t * (3.0 - 2.0 * t);
            for (now, first) in offsets(&body).iter().zip(&first) {
                assert!((now - first * share).norm() < 1e-6, "{k}: {now} {first}");
            }
            if let Some(cut) = &shown(&body).cut {
                assert_closed(cut, "a fading skin");
            }
        }
    }
}

#[test]
fn a_state_in_the_middle_of_the_fade_is_restored_to_the_same_bits() {
    let (asset, still) = (asset(), BoundaryConditions::default());
    let mut body = bent(&asset);
    let blade = sweep_down(0.013, 0.35, -0.3);
    body.set_blades(&[blade]).expect("a blade");
    frames(&mut body, &still, 3);
    assert!(body.cut().is_none() && largest(&offsets(&body)).1 > 1e-6);
    let (state, (_, skin)) = (body.snapshot(), bits(&body));
    frames(&mut body, &still, 2);
    let last = bits(&body);
    let mut other = bent(&asset);
    for body in [&mut body, &mut other] {
        body.restore(&state).expect("the same body");
        assert!(bits(body).1 == skin);
        frames(body, &still, 2);
        assert!(bits(body) == last);
    }
}
