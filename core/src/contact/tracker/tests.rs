//! Laws of contact, adhesion and release.

use std::sync::Arc;

use super::*;
use crate::boundary::{ConstrainedDirections, ConstraintKind, Friction};
use crate::contact::Adhesion;
use crate::contact::pose::Pose;
use crate::contact::tool::ToolShape;
use crate::mesh::procedural::{CellStyle, box_surface};
use crate::mesh::surface_frame::CutSurface;

fn ball(height: f64, before: f64) -> Tool {
    Tool {
        name: "ball".into(),
        shape: ToolShape::Sphere { radius: 0.3 },
        friction: Friction::None,
        adhesion: None,
        begin: Pose::at(Vec3::new(0.0, before, 0.0)),
        end: Pose::at(Vec3::new(0.0, height, 0.0)),
    }
}

/// A grab of these vertices, which moves up by `lift`, m.
fn grab(vertices: Vec<u32>, lift: f64) -> Grab {
    Grab {
        name: "g".into(),
        vertices,
        begin: Vec3::zeros(),
        end: Vec3::y() * lift,
        offsets: Vec::new(),
        own_displacements: Vec::new(),
        directions: ConstrainedDirections::All,
    }
}

/// A body that nothing holds.
fn touched<'a>(skin: &'a SurfaceMesh, frame: &'a SurfaceFrame) -> TouchedBody<'a> {
    TouchedBody {
        skin,
        frame,
        held: &[],
        diagonal: 3.0_f64.sqrt(),
        margin: 0.01,
        has_inertia: true,
    }
}

#[test]
fn a_ball_touches_the_top_only_and_lets_go_after_two_idle_frames() {
    let skin = box_surface(Vec3::repeat(1.0), [10, 10, 10], CellStyle::Kuhn);
    let frame = SurfaceFrame::at_rest(&skin);
    let body = touched(&skin, &frame);
    let mut tracker = ContactTracker::default();
    let (constraints, owners) = tracker.update(&body, &[ball(0.75, 0.8)], &[], 0.1);
    assert!(!constraints.is_empty());
    assert!(owners.iter().all(|o| *o == Owner::Tool(0)));
    for c in constraints {
        assert!((skin.positions[c.vertex as usize].y - 0.5).abs() < 1e-12);
        assert!((c.velocity - Vec3::new(0.0, -0.5, 0.0)).norm() < 1e-12);
        // the target lies on the ball
        let (distance, _) = ball(0.75, 0.8).signed_distance(&c.target);
        assert!(distance.abs() < 1e-6);
    }
    let zero = vec![Vec3::zeros(); constraints.len()];
    // the tool has moved away: candidates stay for two frames without force
    for _ in 0..2 {
        let count = tracker.update(&body, &[ball(0.82, 0.82)], &[], 0.1).0.len();
        assert!(count > 0);
        tracker.record_reactions(&zero[..count.min(zero.len())]);
    }
    let (left, _) = tracker.update(&body, &[ball(0.82, 0.82)], &[], 0.1);
    assert!(left.is_empty());
}

#[test]
fn a_skin_without_inertia_follows_a_tool_that_retreats_fast() {
    let skin = box_surface(Vec3::repeat(1.0), [10, 10, 10], CellStyle::Kuhn);
    let frame = SurfaceFrame::at_rest(&skin);
    for has_inertia in [false, true] {
        let body = TouchedBody {
            has_inertia,
            ..touched(&skin, &frame)
        };
        let mut tracker = ContactTracker::default();
        let (constraints, _) = tracker.update(&body, &[ball(0.75, 0.8)], &[], 0.1);
        let count = constraints.len();
        assert!(count > 0);
        tracker.record_reactions(&vec![-Vec3::y(); count]);
        let (kept, _) = tracker.update(&body, &[ball(1.05, 0.75)], &[], 0.1);
        let expected = if has_inertia { 0 } else { count };
        assert_eq!(kept.len(), expected, "inertia: {has_inertia}");
    }
}

#[test]
fn grabs_win_over_tools_and_jumps_drop_contacts() {
    let skin = box_surface(Vec3::repeat(1.0), [4, 4, 4], CellStyle::Kuhn);
    let frame = SurfaceFrame::at_rest(&skin);
    let body = touched(&skin, &frame);
    let top: Vec<u32> = (0..skin.vertex_count() as u32)
        .filter(|&v| skin.positions[v as usize].y > 0.49)
        .collect();
    let grab = grab(top.clone(), 0.1);
    let mut tracker = ContactTracker::default();
    let (constraints, owners) = tracker.update(&body, &[ball(0.75, 0.8)], &[grab], 0.1);
    assert_eq!(constraints.len(), top.len());
    assert!(owners.iter().all(|o| *o == Owner::Grab(0)));
    let mut tracker = ContactTracker::default();
    let (touched, _) = tracker.update(&body, &[ball(0.75, 3.0)], &[], 0.1);
    assert!(touched.is_empty());
    assert_eq!(tracker.teleports, 1);
}

#[test]
fn vertices_of_a_grab_may_have_their_own_displacements_and_velocities() {
    let skin = box_surface(Vec3::repeat(1.0), [1, 1, 1], CellStyle::Kuhn);
    let frame = SurfaceFrame::at_rest(&skin);
    let body = TouchedBody {
        has_inertia: false,
        ..touched(&skin, &frame)
    };
    let own = [[0.0, 0.1], [0.5, 0.2]].map(|[begin, end]| [Vec3::x() * begin, Vec3::y() * end]);
    let offset = Vec3::z() * 0.25;
    let grab = Grab {
        end: Vec3::z(),
        offsets: vec![offset; 2],
        own_displacements: own.to_vec(),
        ..grab(vec![2, 5], 0.0)
    };
    let mut tracker = ContactTracker::default();
    let (constraints, _) = tracker.update(&body, &[], &[grab], 0.1);
    assert_eq!(constraints.len(), 2);
    for (constraint, [begin, end]) in constraints.iter().zip(own) {
        let rest = skin.positions[constraint.vertex as usize];
        assert_eq!(constraint.target, rest + offset + end);
        assert_eq!(constraint.velocity, (end - begin) / 0.1);
    }
}

/// A frame in which every touched vertex is pushed down with `force`, N; negative where it is pulled up.
fn stepped(
    tracker: &mut ContactTracker,
    body: &TouchedBody<'_>,
    (tool, grabs): (Tool, &[Grab]),
    force: f64,
) -> Vec<DisplacementConstraint> {
    let constraints = tracker.update(body, &[tool], grabs, 0.1).0.to_vec();
    tracker.record_reactions(&vec![Vec3::y() * -force; constraints.len()]);
    constraints
}

fn sticky(height: f64, before: f64) -> (Tool, &'static [Grab]) {
    let adhesion = Some(Adhesion::Sticky { pull_limit: 1.0 });
    let tool = Tool {
        adhesion,
        ..ball(height, before)
    };
    (tool, &[])
}

fn all_stick(constraints: &[DisplacementConstraint]) -> bool {
    let held = |c: &DisplacementConstraint| c.directions == ConstrainedDirections::All;
    !constraints.is_empty() && constraints.iter().all(held)
}

fn none_sticks(constraints: &[DisplacementConstraint]) -> bool {
    let slides = |c: &DisplacementConstraint| c.directions != ConstrainedDirections::All;
    !constraints.is_empty() && constraints.iter().all(slides)
}

#[test]
fn a_pushed_vertex_sticks_until_the_tool_pulls_too_hard_and_again_after_the_tool_was_away() {
    let skin = box_surface(Vec3::repeat(1.0), [10, 10, 10], CellStyle::Kuhn);
    let frame = SurfaceFrame::at_rest(&skin);
    let body = touched(&skin, &frame);
    let mut tracker = ContactTracker::default();
    let first = stepped(&mut tracker, &body, sticky(0.75, 0.8), 1.0);
    assert!(none_sticks(&first), "what is not yet touched cannot stick");
    // nine vertices that pull with 0.9 N together
    let second = stepped(&mut tracker, &body, sticky(0.76, 0.75), -0.1);
    assert_eq!(second.len(), 9);
    assert!(all_stick(&second));
    for c in &second {
        let lifted = skin.positions[c.vertex as usize] + Vec3::y() * 0.01;
        assert!((c.target - lifted).norm() < 1e-6);
        assert!((c.velocity - Vec3::y() * 0.1).norm() < 1e-6);
        assert_eq!(c.kind, ConstraintKind::Bilateral);
    }
    let third = stepped(&mut tracker, &body, sticky(0.76, 0.76), -0.2);
    assert!(all_stick(&third), "it let go below the limit");
    // 1.8 N were too much; now a pushed vertex does not stick
    for _ in 0..4 {
        let let_go = stepped(&mut tracker, &body, sticky(0.76, 0.76), 1.0);
        assert!(none_sticks(&let_go));
    }
    let away = stepped(&mut tracker, &body, sticky(1.0, 0.76), 1.0);
    assert!(away.is_empty());
    let back = stepped(&mut tracker, &body, sticky(0.76, 1.0), 1.0);
    assert!(none_sticks(&back));
    let again = stepped(&mut tracker, &body, sticky(0.76, 0.76), 1.0);
    assert!(all_stick(&again));
}

#[test]
fn a_bonded_vertex_that_is_pulled_too_hard_comes_off_alone_until_the_tool_was_away() {
    let skin = box_surface(Vec3::repeat(1.0), [10, 10, 10], CellStyle::Kuhn);
    let frame = SurfaceFrame::at_rest(&skin);
    let body = touched(&skin, &frame);
    let is_middle = |c: &DisplacementConstraint| {
        let x = skin.positions[c.vertex as usize];
        x.x.hypot(x.z) < 0.01
    };
    let mut tracker = ContactTracker::default();
    // constraints of the middle vertex and of the others in a frame that ends with these forces on them, N
    let mut step = |[height, before]: [f64; 2], middle: Vec3, others: Vec3| {
        let tool = Tool {
            adhesion: Some(Adhesion::Bonded { pull_limit: 0.15 }),
            ..ball(height, before)
        };
        let constraints = tracker.update(&body, &[tool], &[], 0.1).0.to_vec();
        let force = |c: &DisplacementConstraint| if is_middle(c) { middle } else { others };
        let forces: Vec<Vec3> = constraints.iter().map(force).collect();
        tracker.record_reactions(&forces);
        let all = constraints.into_iter();
        all.partition::<Vec<_>, _>(is_middle)
    };
    let (down, pull) = (-Vec3::y(), Vec3::y() * 0.1);
    let (middle, others) = step([0.75, 0.8], down, down);
    assert!(none_sticks(&middle) && none_sticks(&others));
    // a force along the skin does not end a bond, nor do pulls of 0.9 N together
    let (middle, others) = step([0.76, 0.75], Vec3::x() * 5.0 + pull, pull);
    assert!(all_stick(&middle) && all_stick(&others));
    assert_eq!((middle.len(), others.len()), (1, 8));
    assert_eq!(middle[0].kind, ConstraintKind::Bilateral);
    let (middle, others) = step([0.76, 0.76], 2.0 * pull, pull);
    assert!(all_stick(&middle) && all_stick(&others));
    // 0.2 N were too much for the middle vertex alone; where the tool pushes it now, it does not stick
    for _ in 0..4 {
        let (middle, others) = step([0.76, 0.76], down, pull);
        assert!(none_sticks(&middle) && all_stick(&others));
    }
    let (middle, others) = step([1.0, 0.76], down, pull);
    assert!(middle.is_empty() && all_stick(&others));
    let (middle, _) = step([0.76, 1.0], down, pull);
    assert!(none_sticks(&middle));
    let (middle, others) = step([0.76, 0.76], down, pull);
    assert!(all_stick(&middle) && all_stick(&others));
}

#[test]
fn a_grab_takes_what_sticks_to_a_tool() {
    let skin = box_surface(Vec3::repeat(1.0), [10, 10, 10], CellStyle::Kuhn);
    let frame = SurfaceFrame::at_rest(&skin);
    let body = touched(&skin, &frame);
    let mut tracker = ContactTracker::default();
    stepped(&mut tracker, &body, sticky(0.75, 0.8), 1.0);
    let stuck = stepped(&mut tracker, &body, sticky(0.75, 0.75), 1.0);
    assert!(all_stick(&stuck));
    let taken = stuck[0].vertex;
    let along = ConstrainedDirections::Along(Vec3::y());
    let grab = Grab {
        directions: along,
        ..grab(vec![taken], 0.0)
    };
    let both = (sticky(0.75, 0.75).0, std::slice::from_ref(&grab));
    let constraints = stepped(&mut tracker, &body, both, 0.0);
    assert_eq!(constraints.len(), stuck.len());
    for (c, owner) in constraints.iter().zip(tracker.owners()) {
        let (whose, directions) = match c.vertex == taken {
            true => (Owner::Grab(0), along),
            false => (Owner::Tool(0), ConstrainedDirections::All),
        };
        assert_eq!((*owner, c.directions), (whose, directions));
    }
    // without the grab the vertex is only touched
    let after = stepped(&mut tracker, &body, sticky(0.75, 0.75), 0.0);
    let slides = after
        .iter()
        .filter(|c| c.directions != ConstrainedDirections::All);
    assert_eq!(slides.map(|c| c.vertex).collect::<Vec<_>>(), [taken]);
}

#[test]
fn what_a_cut_has_exposed_is_touched_and_not_remembered() {
    // the top of the box is skin; 1 mm above its middle is a vertex that a cut has exposed
    let skin = box_surface(Vec3::repeat(1.0), [4, 4, 4], CellStyle::Kuhn);
    let mut frame = SurfaceFrame::at_rest(&skin);
    let count = skin.vertex_count();
    let mut surface = skin.clone();
    surface.positions.push(Vec3::new(0.0, 0.501, 0.0));
    let mut cut_frame = frame.clone();
    cut_frame.positions.push([0.0, 0.501, 0.0]);
    cut_frame.normals.push([0.0, 1.0, 0.0]);
    frame.cut = Some(Box::new(CutSurface {
        surface: Arc::new(surface),
        copied: Arc::new(vec![CutSurface::CAP]),
        sharp: Arc::default(),
        inside: count..count + 1,
        frame: cut_frame,
    }));
    let body = touched(&skin, &frame);
    let mut tracker = ContactTracker::default();
    let (constraints, _) = tracker.update(&body, &[ball(0.795, 0.8)], &[], 0.1);
    let vertices: Vec<u32> = constraints.iter().map(|c| c.vertex).collect();
    assert!(
        vertices.len() > 1 && vertices.last() == Some(&(count as u32)),
        "{vertices:?}"
    );
    let target = constraints[vertices.len() - 1].target;
    assert!((target.y - 0.495).abs() < 1e-6, "{target:?}");
    // the ball has moved away: vertices of the skin stay candidates, the other one does not
    let zero = vec![Vec3::zeros(); vertices.len()];
    tracker.record_reactions(&zero);
    let (constraints, _) = tracker.update(&body, &[ball(0.82, 0.82)], &[], 0.1);
    let still: Vec<u32> = constraints.iter().map(|c| c.vertex).collect();
    assert_eq!(still, vertices[..vertices.len() - 1]);
}

#[test]
fn a_ball_that_goes_through_a_sheet_and_back_never_pushes_its_far_side() {
    let skin = box_surface(Vec3::new(1.0, 0.05, 1.0), [10, 1, 10], CellStyle::Kuhn);
    let frame = SurfaceFrame::at_rest(&skin);
    let body = touched(&skin, &frame);
    let mut tracker = ContactTracker::default();
    // its middle goes 0.25 m beyond the sheet, and comes back
    let heights = (-5..=8).rev().chain(-4..=8).map(|k| f64::from(k) * 0.05);
    let (mut before, mut pushed) = (0.45, 0);
    for height in heights {
        let tool = ball(height, before);
        let constraints = tracker.update(&body, std::slice::from_ref(&tool), &[], 0.1);
        for c in constraints.0 {
            let x = skin.positions[c.vertex as usize];
            let is_inside = tool.signed_distance(&x).0 < 0.0;
            if x.x.hypot(x.z) < 0.12 && is_inside {
                assert!(x.y > 0.0, "the far side is pushed at {height} m");
                assert!(c.target.y < x.y, "the near side goes back at {height} m");
                pushed += 1;
            }
        }
        before = height;
    }
    assert!(pushed > 9);
}

#[test]
fn a_ball_that_gets_deep_in_a_frame_pushes_what_it_came_to_from_outside() {
    let skin = box_surface(Vec3::repeat(1.0), [10, 10, 10], CellStyle::Kuhn);
    let frame = SurfaceFrame::at_rest(&skin);
    let body = touched(&skin, &frame);
    // its middle stays in front of the skin, or gets behind it: then the skin says where outside is
    for height in [0.6, 0.48] {
        let mut tracker = ContactTracker::default();
        let first = tracker.update(&body, &[ball(0.82, 0.82)], &[], 0.1);
        assert!(first.0.is_empty());
        let second = tracker.update(&body, &[ball(height, 0.82)], &[], 0.1);
        let is_middle = |c: &&DisplacementConstraint| {
            let x = skin.positions[c.vertex as usize];
            x.y > 0.49 && x.x.hypot(x.z) < 0.01
        };
        let middle = second.0.iter().find(is_middle).expect("touched");
        assert!(middle.target.y < 0.5, "{height}");
    }
}

#[test]
fn a_ball_that_is_moved_aside_pushes_what_it_comes_to() {
    let skin = box_surface(Vec3::repeat(1.0), [20, 20, 20], CellStyle::Kuhn);
    let frame = SurfaceFrame::at_rest(&skin);
    let body = touched(&skin, &frame);
    let moved = |x: f64, before: f64| {
        let mut tool = ball(0.6, 0.6);
        (tool.begin.position.x, tool.end.position.x) = (before, x);
        tool
    };
    let mut tracker = ContactTracker::default();
    tracker.update(&body, &[moved(-0.15, -0.15)], &[], 0.1);
    let constraints = tracker.update(&body, &[moved(0.15, -0.15)], &[], 0.1).0;
    let middle = |c: &&DisplacementConstraint| {
        let x = skin.positions[c.vertex as usize];
        x.y > 0.49 && (x.x - 0.15).hypot(x.z) < 0.01
    };
    let middle = constraints.iter().find(middle).expect("touched");
    assert!(middle.target.y < 0.5);
}
