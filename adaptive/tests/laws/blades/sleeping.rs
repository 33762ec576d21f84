//! Pieces at rest sleep until something touches them.

use pliant_adaptive::AdaptiveModel;
use pliant_core::boundary::{BoundaryConditions, DisplacementConstraint, Friction, NodalLoad};
use pliant_core::inspect::{Inspect, ParameterValue};
use pliant_core::math::Vec3;
use pliant_core::model::DeformableModel;

use super::{cut, damped_block, frames, halved, in_piece_of, pieces, sweep_across, sweep_down};
use crate::bodies::{FRAME, counter, frame, shown, vertices, with_weight};

/// Height of the floor, m: the lower side of the block.
const FLOOR: f64 = -0.1;

/// A block without supports.
fn free_block() -> AdaptiveModel {
    damped_block(0.7, None)
}

/// Distance between the halves, m.
const GAP: f64 = 0.03;

/// Two halves of this block beside each other.
fn halves() -> AdaptiveModel {
    let mut body = halved(free_block(), sweep_down(0.012, 0.3, -0.3));
    move_piece(&mut body, |x| x.x > 0.19, Vec3::x() * GAP);
    body
}

/// Moves the piece of the first node for whose rest position `is_one` is true.
fn move_piece(body: &mut AdaptiveModel, is_one: impl Fn(&Vec3) -> bool, distance: Vec3) {
    let is_moved = in_piece_of(body, is_one);
    let shift = |is_moved: &bool| distance * if *is_moved { 1.0 } else { 0.0 };
    let nodes = body.level_positions().iter().zip(&is_moved);
    let positions: Vec<Vec3> = nodes.map(|(x, is_moved)| x + shift(is_moved)).collect();
    body.set_state(&positions, &[]);
}

/// A floor at `height` (m) that rises at `speed` (m/s), below the lower side.
fn floor(
    body: &AdaptiveModel,
    height: f64,
    speed: f64,
) -> impl Iterator<Item = DisplacementConstraint> {
    let lowest = vertices(&body.asset().skin, |x| x.y < FLOOR + 1e-3);
    let target = Vec3::y() * height;
    let friction = Friction::coulomb(0.5);
    lowest
        .into_iter()
        .map(move |vertex| DisplacementConstraint {
            friction,
            ..DisplacementConstraint::contact(vertex, target, Vec3::y()).moving(Vec3::y() * speed)
        })
}

/// Vertices of the skin on top of the left half.
fn left_top(body: &AdaptiveModel) -> Vec<u32> {
    vertices(&body.asset().skin, |x| x.x < -0.1 && x.y > 0.099)
}

/// The same with this force (N) upwards on each of some vertices.
fn loaded(boundary: &BoundaryConditions, vertices: &[u32], force: f64) -> BoundaryConditions {
    let (mut loaded, force) = (boundary.clone(), Vec3::y() * force);
    loaded.set_loads(vertices.iter().map(|&vertex| NodalLoad { vertex, force }));
    loaded
}

/// The halves asleep on the floor, and their boundary conditions.
fn asleep() -> (AdaptiveModel, BoundaryConditions) {
    let mut body = halves();
    let boundary = with_weight(floor(&body, FLOOR, 0.0));
    frames(&mut body, &boundary, 90);
    assert_eq!(body.pieces_asleep(), 2);
    (body, boundary)
}

#[test]
fn fallen_pieces_sleep_and_do_not_move() {
    let mut body = halves();
    // they fall by a centimetre
    let boundary = with_weight(floor(&body, FLOOR - 0.01, 0.0));
    let mut before = None;
    for k in 0..200 {
        let report = frame(&mut body, &boundary);
        let balance = report.energy.expect("an account").balance();
        let scale = 9.81 * 0.01 * 16.0;
        // energy that is lost when they fall asleep is part of the account
        let known = *before.get_or_insert(balance);
        assert!((balance - known).abs() < 0.05 * scale, "{k}: {balance}");
        before = Some(balance);
        if k < 30 {
            assert_eq!(body.pieces_asleep(), 0, "{k}");
        }
    }
    assert_eq!(body.pieces_asleep(), 2);
    assert_eq!(counter(&body, "pieces_asleep"), 2.0);
    assert!(body.level_velocities().iter().all(|v| *v == Vec3::zeros()));
    let there = body.level_positions().to_vec();
    let report = frame(&mut body, &boundary);
    assert!(body.level_positions() == there, "to the bit");
    let elements = body.moving_level().mesh.tets.len() as u64;
    assert!(report.work_used <= elements, "{}", report.work_used);
    let mass: f64 = body.moving_level().masses.iter().sum();
    let borne: Vec3 = body.reactions().iter().sum();
    assert!(
        (borne.y / (9.81 * mass) - 1.0).abs() < 0.05,
        "the floor still bears them: {borne} {mass}"
    );
}

#[test]
fn pieces_on_a_shaking_floor_do_not_sleep() {
    let mut body = halves();
    let height = |k: i32| FLOOR + 1e-4 * f64::from(k % 2);
    for k in 0..120 {
        let speed = (height(k + 1) - height(k)) / FRAME;
        let boundary = with_weight(floor(&body, height(k + 1), speed));
        frame(&mut body, &boundary);
        assert_eq!(body.pieces_asleep(), 0, "{k}");
    }
}

#[test]
fn pieces_without_gravity_do_not_sleep() {
    let mut body = halves();
    frames(&mut body, &BoundaryConditions::default(), 90);
    assert_eq!(body.pieces_asleep(), 0);
}

#[test]
fn touching_a_piece_wakes_only_this_piece() {
    let (mut body, resting) = asleep();
    let on_top = left_top(&body);
    // a load
    let loaded = loaded(&resting, &on_top, -1.0);
    frame(&mut body, &loaded);
    assert_eq!(body.pieces_asleep(), 1);
    assert!(body.level_velocities().iter().any(|v| v.y < 0.0));
    frames(&mut body, &resting, 90);
    assert_eq!(body.pieces_asleep(), 2);
    // a tool that moves above the piece does not touch it, one that is lower does
    let tool = |height: f64| {
        let target = Vec3::y() * height;
        on_top.clone().into_iter().map(move |vertex| {
            DisplacementConstraint::contact(vertex, target, -Vec3::y()).moving(Vec3::y() * -0.06)
        })
    };
    let with =
        |height: f64| with_weight(resting.displacements().iter().copied().chain(tool(height)));
    frame(&mut body, &with(0.11));
    assert_eq!(body.pieces_asleep(), 2);
    frame(&mut body, &with(0.099));
    assert_eq!(body.pieces_asleep(), 1);
}

#[test]
fn a_piece_that_loses_its_floor_falls_and_the_other_stays_asleep() {
    let (mut body, resting) = asleep();
    let skin = body.asset().skin.clone();
    let is_right = |c: &&DisplacementConstraint| skin.positions[c.vertex as usize].x > 0.012;
    let right: Vec<_> = resting.displacements().iter().filter(is_right).collect();
    let without_left = with_weight(right.into_iter().copied());
    let before = body.level_positions().to_vec();
    frames(&mut body, &without_left, 3);
    assert_eq!(body.pieces_asleep(), 1);
    let stayed = body.level_positions().iter().zip(&before);
    let stayed = stayed.filter(|(now, then)| now == then).count();
    assert!(stayed > 50 && stayed < before.len() - 50, "{stayed}");
    let lowest = body.level_velocities().iter().map(|v| v.y);
    assert!(lowest.fold(0.0, f64::min) < -0.3);
}

/// Lets a body rest on the constraints `below` until `asleep` of its pieces sleep, and removes the constraints. Returns the body eight frames later, and the smallest and largest distance that its nodes have fallen, m.
fn dropped(
    body: &AdaptiveModel,
    below: Vec<DisplacementConstraint>,
    asleep: usize,
) -> (AdaptiveModel, [f64; 2]) {
    // strong gravity, so that falling pieces separate at once
    let heavy = |constraints: Vec<DisplacementConstraint>| {
        let mut boundary = with_weight(constraints);
        boundary.gravity = Vec3::y() * -30.0;
        boundary
    };
    let mut body = body.clone();
    let resting = heavy(below);
    for _ in 0..400 {
        frame(&mut body, &resting);
        if body.pieces_asleep() == asleep {
            break;
        }
    }
    assert_eq!(body.pieces_asleep(), asleep);
    let before = body.level_positions().to_vec();
    frames(&mut body, &heavy(Vec::new()), 8);
    let both = body.level_positions().iter().zip(&before);
    let ways = both.map(|(now, then)| then.y - now.y);
    let range = ways.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], way| {
        [low.min(way), high.max(way)]
    });
    (body, range)
}

#[test]
fn a_stack_falls_as_a_whole_when_its_support_is_removed() {
    let mut body = free_block();
    cut(
        &mut body,
        &[0.03, -0.03].map(|y| sweep_across(y, -0.5, 0.5)),
    );
    assert_eq!(pieces(&body), 3);
    let on_floor: Vec<_> = floor(&body, FLOOR, 0.0).collect();
    let rest = &body.asset().skin.positions;
    let lowest = vertices(&body.asset().skin, |x| x.y < FLOOR + 1e-3).into_iter();
    let in_hand = lowest.map(|v| DisplacementConstraint::held(v, rest[v as usize]));
    let in_hand: Vec<_> = in_hand.collect();
    // a piece with held vertices does not sleep
    for (below, asleep) in [(on_floor, 3), (in_hand, 2)] {
        let (after, [least, most]) = dropped(&body, below, asleep);
        assert_eq!(after.pieces_asleep(), 0, "{asleep}");
        // each layer starts to fall a frame after the one below it: 30 m/s² for five frames are 0.1 m
        assert!(least > 0.1 && most < 0.35, "{asleep}: {least} {most}");
    }
}

#[test]
fn changed_gravity_changed_parameters_and_resets_wake_all_pieces() {
    let (body, resting) = asleep();
    let mut leaning = resting.clone();
    leaning.gravity = Vec3::new(0.1, -9.81, 0.0);
    let mut other = body.clone();
    frame(&mut other, &leaning);
    assert_eq!(other.pieces_asleep(), 0);
    let mut other = body.clone();
    let half = ParameterValue::Number(0.5);
    other.set_parameter("safety", half).expect("in range");
    assert_eq!(other.pieces_asleep(), 0);
    let mut other = body;
    other.reset();
    assert_eq!((other.pieces_asleep(), pieces(&other)), (0, 1));
}

#[test]
fn a_blade_wakes_the_piece_that_it_cuts() {
    let (mut body, resting) = asleep();
    let through_right = sweep_down(0.112 + GAP, 0.3, -0.3);
    body.set_blades(&[through_right]).expect("it can be cut");
    frame(&mut body, &resting);
    assert_eq!((pieces(&body), body.pieces_asleep()), (3, 1));
    frames(&mut body, &resting, 90);
    assert_eq!(body.pieces_asleep(), 3);
}

#[test]
fn a_piece_that_is_lowered_wakes_the_one_below() {
    let mut body = halved(free_block(), sweep_across(0.02, -0.5, 0.5));
    let top = vertices(&body.asset().skin, |x| x.y > 0.099);
    let skin = body.asset().skin.clone();
    let held = |height: f64, speed: f64| {
        let way = Vec3::y() * height;
        let skin = skin.clone();
        top.clone().into_iter().map(move |vertex| {
            let rest = skin.positions[vertex as usize];
            DisplacementConstraint::held(vertex, rest + way).moving(Vec3::y() * speed)
        })
    };
    let mut height = 0.0;
    let mut step = |body: &mut AdaptiveModel, speed: f64| {
        height += speed * FRAME;
        let boundary = with_weight(floor(body, FLOOR, 0.0).chain(held(height, speed)));
        frame(body, &boundary);
    };
    (0..20).for_each(|_| step(&mut body, 0.12));
    (0..90).for_each(|_| step(&mut body, 0.0));
    // the one above is held
    assert_eq!(body.pieces_asleep(), 1);
    let mut woken = None;
    for k in 0..23 {
        step(&mut body, -0.12);
        if body.pieces_asleep() == 0 {
            woken.get_or_insert(k);
        }
    }
    // the distance is four centimetres: it wakes neither at once nor too late
    assert!(woken.is_some_and(|k| k > 10), "{woken:?}");
}

#[test]
fn snapshots_contain_which_pieces_sleep() {
    let (mut body, resting) = asleep();
    let loaded = loaded(&resting, &left_top(&body), -20.0);
    frames(&mut body, &loaded, 2);
    let one = body.snapshot();
    let run = |body: &mut AdaptiveModel| {
        frames(body, &loaded, 5);
        frames(body, &resting, 60);
        let state = [body.level_positions(), body.level_velocities()];
        (state.map(<[Vec3]>::to_vec), body.reactions().to_vec())
    };
    let after = run(&mut body);
    assert_eq!(body.pieces_asleep(), 2);
    let both = body.snapshot();
    // from a state in which all sleep, from another body, and back
    let mut other = free_block();
    for model in [&mut body, &mut other] {
        model.restore(&one).expect("the same body");
        assert_eq!(model.pieces_asleep(), 1);
        assert!(run(model) == after, "the same bits");
        model.restore(&both).expect("the same body");
        assert_eq!(model.pieces_asleep(), 2);
        frame(model, &resting);
        assert_eq!(model.pieces_asleep(), 2);
        assert!(model.reactions() == after.1);
    }
}

/// The upper half of a block on its cut face, above the lower half on the floor, and the boundary conditions that carry both.
fn on_a_cut_face() -> (AdaptiveModel, BoundaryConditions) {
    let mut body = halved(free_block(), sweep_across(0.003, -0.5, 0.5));
    move_piece(&mut body, |x| x.y > 0.09, Vec3::y() * GAP);
    let surface = shown(&body);
    let skin = surface.positions.len();
    let (all, is_below) = (skin..surface.touchable_count(), |v: &usize| {
        surface.touchable(*v).1.y < -0.9
    });
    let face: Vec<usize> = all.filter(is_below).collect();
    let heights = face.iter().map(|&v| surface.touchable(v).0.y);
    let target = Vec3::y() * heights.fold(f64::INFINITY, f64::min);
    let face = face.into_iter();
    let face = face.map(|v| DisplacementConstraint::contact(v as u32, target, Vec3::y()));
    let below: Vec<_> = floor(&body, FLOOR, 0.0).collect();
    (body, with_weight(face.chain(below)))
}

#[test]
fn a_piece_sleeps_on_its_cut_face_also_after_a_restore() {
    let (mut body, resting) = on_a_cut_face();
    for _ in 0..400 {
        frame(&mut body, &resting);
        if body.pieces_asleep() == 2 {
            break;
        }
    }
    assert_eq!(body.pieces_asleep(), 2);
    let asleep = body.snapshot();
    frames(&mut body, &resting, 3);
    let after = body.reactions().to_vec();
    let skin = body.surface().vertex_count();
    let on_face = resting.displacements().iter().zip(&after);
    let on_face = on_face.filter(|(c, _)| c.vertex as usize >= skin);
    let borne: f64 = on_face.map(|(_, force)| force.y).sum();
    assert!(borne > 1.0, "{borne} N bear the upper half");
    let mut other = free_block();
    for model in [&mut body, &mut other] {
        model.restore(&asleep).expect("the same body");
        assert_eq!(model.pieces_asleep(), 2);
        frames(model, &resting, 3);
        assert!(model.reactions() == after, "the same bits");
    }
}
