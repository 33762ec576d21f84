//! The hand without a window.

use super::*;
use pliant_core::math::bounds::Ray;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::procedural::{CellStyle, box_surface};

struct Body {
    skin: SurfaceMesh,
    frame: SurfaceFrame,
}

fn body() -> Body {
    let skin = box_surface(Vec3::repeat(1.0), [8, 8, 8], CellStyle::Kuhn);
    let frame = SurfaceFrame::at_rest(&skin);
    Body { skin, frame }
}

fn under(body: &Body, x: f64, y: f64) -> Under<'_> {
    Under {
        skin: &body.skin,
        frame: &body.frame,
        diagonal: body.skin.bounds().diagonal(),
        edge: body.skin.mean_edge(),
        pull_stiffness: 40.0,
        ray: Ray {
            origin: Vec3::new(x, y, 5.0),
            direction: -Vec3::z(),
        },
    }
}

/// A ball.
const REACH: Option<f64> = Some(0.2);

#[test]
fn grabbing_takes_a_patch_and_follows_the_pointer_in_the_plane() {
    let body = body();
    let (mut hand, mut commands) = (Hand::default(), Vec::new());
    let start = under(&body, 0.1, 0.1);
    assert!(hand.press(1, &start, HandMode::Grab, REACH, &mut commands));
    assert_eq!(hand.pane(), Some(1));
    let Some(Command::Grab {
        vertices,
        displacement,
    }) = commands.first()
    else {
        panic!("no grab in {commands:?}");
    };
    assert!(vertices.len() > 3 && vertices.len() < 60 && vertices.is_sorted());
    assert!(displacement.norm() < 1e-9);
    let diagonal = start.diagonal;
    let mut last = Vec3::zeros();
    let mut follow = |hand: &mut Hand, commands: &mut Vec<Command>| {
        for _ in 0..60 {
            hand.advance(1.0 / 60.0, REACH, diagonal, commands);
            if let Some(Command::MoveGrab(moved)) = commands.last() {
                assert!((moved - last).norm() <= diagonal / 60.0 + 1e-12, "no jumps");
                last = *moved;
            }
        }
        last
    };
    hand.drag(&under(&body, 0.3, 0.0));
    let moved = follow(&mut hand, &mut commands);
    assert!((moved - Vec3::new(0.2, -0.1, 0.0)).norm() < 1e-6);
    hand.drag(&under(&body, 50.0, 0.0));
    let moved = follow(&mut hand, &mut commands);
    assert!(
        (moved.norm() - MAX_PULL_DISTANCE * diagonal).abs() < 1e-6,
        "far away the pull has an end"
    );
    hand.release(&mut commands);
    assert_eq!(commands.last(), Some(&Command::Release));
    assert_eq!(hand.mode(), None);
}

#[test]
fn beside_the_body_the_drag_is_the_cameras() {
    let body = body();
    let (mut hand, mut commands) = (Hand::default(), Vec::new());
    let beside = under(&body, 3.0, 0.0);
    assert!(!hand.press(0, &beside, HandMode::Grab, REACH, &mut commands));
    assert!(commands.is_empty() && hand.mode().is_none());
}

#[test]
fn a_poke_presses_along_the_normal_to_its_depth_and_gives_the_tool_back() {
    let body = body();
    let (mut hand, mut commands) = (Hand::default(), Vec::new());
    let u = under(&body, 0.0, 0.0);
    assert!(hand.press(0, &u, HandMode::Poke, REACH, &mut commands));
    for _ in 0..60 {
        hand.advance(1.0 / 60.0, REACH, u.diagonal, &mut commands);
    }
    let Some(Command::MoveTool(Some(at))) = commands.last() else {
        panic!("no tool in {commands:?}");
    };
    let expected = Vec3::new(0.0, 0.0, 0.5 + 0.2 - 0.04 * u.diagonal);
    assert!((at - expected).norm() < 1e-6, "{at} against {expected}");
    assert!(hand.scroll(100.0, u.diagonal));
    hand.release(&mut commands);
    for _ in 0..60 {
        hand.advance(1.0 / 60.0, REACH, u.diagonal, &mut commands);
    }
    assert_eq!(commands.last(), Some(&Command::MoveTool(None)));
    assert_eq!(hand.mode(), None);
}

#[test]
fn without_a_tool_a_poke_becomes_a_grab() {
    let body = body();
    let (mut hand, mut commands) = (Hand::default(), Vec::new());
    let middle = under(&body, 0.0, 0.0);
    hand.press(0, &middle, HandMode::Poke, None, &mut commands);
    assert_eq!(hand.mode(), Some(HandMode::Grab));
    hand.drop_all(&mut commands);
    assert_eq!(commands.last(), Some(&Command::Release));
}

#[test]
fn a_drag_with_the_blade_sweeps_along_the_view_beside_the_body_and_through_it() {
    let body = body();
    let (mut hand, mut commands) = (Hand::default(), Vec::new());
    let beside = under(&body, -2.0, 0.1);
    assert!(hand.press(0, &beside, HandMode::Cut, None, &mut commands));
    assert_eq!((hand.mode(), hand.pane()), (Some(HandMode::Cut), Some(0)));
    let Some(Command::MoveBlade([near, far])) = commands.first() else {
        panic!("no blade in {commands:?}");
    };
    assert!(near.z > 0.5 && far.z < -0.5, "{near} {far}");
    assert!((near.x + 2.0).abs() < 1e-12 && (far.y - 0.1).abs() < 1e-12);
    hand.drag(&under(&body, 2.0, 0.1));
    hand.advance(1.0 / 60.0, None, 1.0, &mut commands);
    assert!(matches!(commands.last(), Some(Command::MoveBlade([at, _])) if at.x == 2.0));
    let count = commands.len();
    hand.advance(1.0 / 60.0, None, 1.0, &mut commands);
    assert_eq!(commands.len(), count, "a blade at rest sends nothing");
    hand.drag(&under(&body, 2.5, 0.1));
    hand.release(&mut commands);
    assert_eq!(commands.last(), Some(&Command::LiftBlade));
    let before = commands.len() - 2;
    assert!(matches!(&commands[before], Command::MoveBlade([at, _]) if at.x == 2.5));
    assert_eq!(hand.mode(), None);
}

#[test]
fn a_pull_is_a_force_in_proportion_to_the_way_of_the_pointer_and_the_wheel_makes_it_stronger() {
    let body = body();
    let (mut hand, mut commands) = (Hand::default(), Vec::new());
    let start = under(&body, 0.1, 0.1);
    assert!(hand.press(2, &start, HandMode::Pull, None, &mut commands));
    assert_eq!((hand.mode(), hand.pane()), (Some(HandMode::Pull), Some(2)));
    let Some(Command::Pull { vertices }) = commands.first() else {
        panic!("no pull in {commands:?}");
    };
    assert!(vertices.len() > 3 && vertices.is_sorted());
    let mut last = Vec3::zeros();
    let mut follow = |hand: &mut Hand, commands: &mut Vec<Command>, fastest: f64| {
        for _ in 0..120 {
            hand.advance(1.0 / 60.0, None, start.diagonal, commands);
            if let Some(Command::MovePull(force)) = commands.last() {
                assert!((force - last).norm() <= fastest / 60.0 + 1e-9, "no jumps");
                last = *force;
            }
        }
        last
    };
    let fastest = MAX_HAND_SPEED * start.diagonal * start.pull_stiffness;
    hand.drag(&under(&body, 0.3, 0.0));
    let force = follow(&mut hand, &mut commands, fastest);
    let way = Vec3::new(0.2, -0.1, 0.0);
    assert!((force - way * 40.0).norm() < 1e-6, "{force}");
    let (at, pointer) = hand.line().expect("a line");
    let taken = body.frame.point(&body.skin, at);
    assert!((pointer - taken - way).norm() < 1e-6);
    let count = commands.len();
    hand.advance(1.0 / 60.0, None, start.diagonal, &mut commands);
    assert_eq!(commands.len(), count, "a pointer at rest sends nothing");
    assert!(hand.scroll(100.0, start.diagonal));
    let stronger = follow(&mut hand, &mut commands, 2.0 * fastest);
    let factor = 0.4_f64.exp();
    assert!((stronger - force * factor).norm() < 1e-6, "{stronger}");
    hand.drag(&under(&body, 50.0, 0.0));
    let most = follow(&mut hand, &mut commands, 2.0 * fastest);
    let limit = MAX_PULL_DISTANCE * start.diagonal * 40.0 * factor;
    assert!((most.norm() - limit).abs() < 1e-6, "{most}");
    hand.release(&mut commands);
    assert_eq!(commands.last(), Some(&Command::Release));
    assert!(hand.mode().is_none() && hand.line().is_none());
}

#[test]
fn the_vertex_under_the_pointer_is_the_nearest_corner_of_the_triangle_there() {
    let body = body();
    // the front has vertices every eighth of its edge
    let v = under(&body, 0.12, -0.24).vertex().expect("a vertex");
    let place = body.skin.positions[v as usize];
    assert!(
        (place - Vec3::new(0.125, -0.25, 0.5)).norm() < 1e-9,
        "{place}"
    );
    assert_eq!(under(&body, 3.0, 0.0).vertex(), None);
    let empty = SurfaceFrame::default();
    let unknown = Under {
        frame: &empty,
        ..under(&body, 0.0, 0.0)
    };
    assert_eq!(unknown.vertex(), None);
}
