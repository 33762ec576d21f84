//! A body with levels moves on its cut until a blade reaches it.

use std::sync::Arc;

use pliant_adaptive::{AdaptiveModel, AdaptiveParams, LodHierarchy, Resolution};
use pliant_core::boundary::{BoundaryConditions, DisplacementConstraint};
use pliant_core::inspect::{Inspect, ParameterValue};
use pliant_core::math::Vec3;
use pliant_core::model::{DeformableModel, SnapshotMismatch};
use pliant_core::scene::Selection;

use super::{SIZE, pieces, sweep_down};
use crate::bodies::{With, baked_block, frame, model, shown};

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

/// State and skin, as bits.
fn bits(body: &AdaptiveModel) -> (Vec<u64>, Vec<u32>) {
    let state = body.snapshot().values.into_iter();
    let skin = shown(body).positions.into_iter().flatten();
    let skin = skin.map(f32::to_bits);
    (state.map(f64::to_bits).collect(), skin.collect())
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
    let is_end = |v: &u32| {
        let x = asset.skin.positions[*v as usize];
        x.x > 0.5 * SIZE.x - 1e-6 && x.y > 0.0
    };
    let end: Vec<u32> = (0..asset.skin.vertex_count() as u32)
        .filter(is_end)
        .collect();
    // further away than an edge of a tetrahedron
    let ahead = 0.5 * SIZE.x + 0.1;
    let goes_over = |pull: f64| {
        let mut body = model(&asset, params(true));
        let mut boundary = BoundaryConditions::default();
        let held = end.iter().map(|&v| {
            let target = asset.skin.positions[v as usize] + Vec3::x() * pull;
            DisplacementConstraint::held(v, target)
        });
        boundary.set_displacements(held).expect("valid");
        let resting = sweep_down(ahead, 0.03, 0.03);
        body.set_blades(&[resting]).expect("a blade");
        frame(&mut body, &boundary);
        body.cut().is_none()
    };
    assert_eq!([0.0, 0.05].map(goes_over), [false, true]);
}
