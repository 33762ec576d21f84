//! Laws of contact between bodies.

use pliant_core::boundary::{BoundaryConditions, Friction};
use pliant_core::contact::{Pose, Tool, ToolShape};
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceFrame;
use pliant_core::model::{DeformableModel, FrameRequest, OwnContact, SteppedModel};

use crate::testing::lump::Lump;
use crate::testing::stacked_bodies::{
    CELL, bipyramid, cube, floor, group_of, momenta, plate, run, standing,
};
use crate::{BodyGroup, GroupOptions};

#[test]
fn colliding_bodies_keep_momentum_and_part() {
    let at = [Vec3::new(-0.12, 0.0, 0.0), Vec3::new(0.12, 0.06, 0.03)];
    let mut group = group_of(&at, GroupOptions::default());
    for (lump, speed) in group.models_mut().iter_mut().zip([2.0, -2.0]) {
        lump.v.fill(Vec3::x() * speed);
    }
    group.touch_up();
    let (linear, angular) = momenta(&group);
    let (mut touched, mut worst) = (0, 0.0_f64);
    for _ in 0..120 {
        run(&mut group, 1, 0.0);
        touched += usize::from(group.force_between(0, 1).norm() > 0.0);
        worst = worst.max((momenta(&group).0 - linear).norm());
    }
    let scale = 56.0 * 4.0;
    assert!(worst < 1e-9 * scale, "{worst}");
    // the two points of a contact stay the same for a frame and slide past each other meanwhile: so far apart their impulses act
    let off = (momenta(&group).1 - angular).norm();
    assert!(off < 0.03 * scale * 0.15, "{off}");
    assert!(touched > 0);
    let apart = group.models()[1].center().x - group.models()[0].center().x;
    assert!(apart > 0.2, "{apart}");
}

#[test]
fn a_tower_stands_carries_its_weight_sleeps_and_wakes() {
    let mut group = standing(3);
    run(&mut group, 20, 9.81);
    assert!((0..3).all(|k| !group.is_asleep(k)));
    let weight = 56.0 * 9.81;
    let mut carried = 0.0;
    for _ in 0..900 {
        run(&mut group, 1, 9.81);
        carried = -group.wrenches()[0].force.y;
    }
    assert!((carried / (3.0 * weight) - 1.0).abs() < 0.05, "{carried}");
    let mut again = standing(3);
    again.restore(&group.snapshot()).expect("its own");
    run(&mut again, 1, 9.81);
    assert_eq!(again.wrenches()[0], group.wrenches()[0]);
    for (k, lump) in group.models().iter().enumerate() {
        assert!(group.is_asleep(k), "{k}");
        let height = lump.center().y;
        assert!((height - 0.15 * (k as f64 + 0.5)).abs() < 0.01, "{height}");
    }
    let before: Vec<Vec3> = group.models().iter().map(Lump::center).collect();
    run(&mut group, 60, 9.81);
    let after = group.models().iter().map(Lump::center);
    assert!(
        after.zip(&before).all(|(a, b)| a == *b),
        "a sleeping body does not move"
    );
    assert_eq!(group.contact_counts().rows, 0);
    // something hits the top
    group.models[2].v.fill(Vec3::new(1.0, 0.0, 0.0));
    group.sleep[2] = Default::default();
    group.deformed[2].set_velocity(Vec3::new(1.0, 0.0, 0.0));
    run(&mut group, 2, 9.81);
    assert!(!group.is_asleep(1), "the body below wakes");
    run(&mut group, 1200, 9.81);
    assert!((0..3).all(|k| group.is_asleep(k)));
}

#[test]
fn a_tower_falls_when_its_floor_moves_away() {
    let (mut group, mut going) = (standing(3), floor());
    run(&mut group, 900, 9.81);
    assert!((0..3).all(|k| group.is_asleep(k)));
    let heights = |group: &BodyGroup<Lump>| -> Vec<f64> {
        let all = group.models().iter();
        all.map(|lump| lump.center().y).collect()
    };
    let before = heights(&group);
    for down in [0.004, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7] {
        going.begin = going.end;
        going.end = Pose::at(Vec3::y() * -down);
        group.set_tools(std::slice::from_ref(&going));
        run(&mut group, 1, 9.81);
    }
    for (k, (from, to)) in before.iter().zip(heights(&group)).enumerate() {
        // each begins a frame after the one below it
        let time = (8.0 - k as f64) / 60.0;
        let free = 0.5 * 9.81 * time * time;
        assert!(from - to > 0.6 * free, "{k}: {} {free}", from - to);
    }
}

/// The skins as the bodies write them, one after the other.
fn written(group: &BodyGroup<Lump>) -> SurfaceFrame {
    let mut all = SurfaceFrame::default();
    for model in group.models() {
        let mut own = SurfaceFrame::default();
        model.write_surface(&mut own);
        all.positions.extend(own.positions);
        all.normals.extend(own.normals);
    }
    all
}

#[test]
fn skins_are_where_bodies_are_awake_asleep_and_moved() {
    let mut group = standing(3);
    let mut frame = SurfaceFrame::default();
    let mut agrees = |group: &BodyGroup<Lump>| {
        group.write_surface(&mut frame);
        frame == written(group)
    };
    let rest = group.snapshot();
    for _ in 0..40 {
        run(&mut group, 10, 9.81);
        assert!(agrees(&group));
    }
    assert!((0..3).all(|k| group.is_asleep(k)));
    let asleep = group.snapshot();
    group.restore(&rest).expect("its own");
    assert!(agrees(&group));
    group.restore(&asleep).expect("its own");
    assert!((0..3).all(|k| group.is_asleep(k)) && agrees(&group));
    for model in group.models_mut() {
        model.place(&Pose::at(Vec3::new(0.3, 2.0, 0.1)));
    }
    group.touch_up();
    assert!(agrees(&group));
}

#[test]
fn a_woken_body_stays_on_the_body_below() {
    let mut group = standing(3);
    run(&mut group, 900, 9.81);
    assert!((0..3).all(|k| group.is_asleep(k)));
    let before: Vec<Vec3> = group.models().iter().map(Lump::center).collect();
    let speed = Vec3::new(0.3, 0.0, 0.0);
    group.models[2].v.fill(speed);
    group.sleep[2] = Default::default();
    group.deformed[2].set_velocity(speed);
    run(&mut group, 1, 9.81);
    assert!(!group.is_asleep(1));
    for (k, lump) in group.models().iter().enumerate().take(2) {
        let fell = before[k].y - lump.center().y;
        // free fall: 1.4 mm
        assert!(fell < 2e-4, "{k} fell {fell}");
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits_and_a_snapshot_goes_on() {
    let run_with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("a pool").install(|| {
            let mut group = standing(5);
            run(&mut group, 30, 9.81);
            let middle = group.snapshot();
            run(&mut group, 30, 9.81);
            let end = group.snapshot();
            group.restore(&middle).expect("its own");
            run(&mut group, 30, 9.81);
            assert!(group.snapshot() == end, "restored");
            end
        })
    };
    let one = run_with(1);
    assert!(run_with(2) == one && run_with(8) == one);
}

fn lone_plate() -> BodyGroup<Lump> {
    let lumps = vec![Lump::new(&plate(), CELL)];
    BodyGroup::new(lumps, Vec::new(), GroupOptions::default())
}

/// A ball that moves along x, m.
fn ball(from: f64, to: f64) -> Tool {
    Tool {
        name: "ball".into(),
        shape: ToolShape::Sphere { radius: 0.06 },
        friction: Friction::None,
        adhesion: None,
        begin: Pose::at(Vec3::x() * from),
        end: Pose::at(Vec3::x() * to),
    }
}

#[test]
fn a_fast_ball_does_not_pass_through_a_plate() {
    // 25 m/s and 0.42 m a frame: the ball is before the plate when the frame begins and behind it when it ends
    let mut group = lone_plate();
    group.set_tools(&[ball(-0.2, 0.22)]);
    run(&mut group, 1, 0.0);
    assert!(group.wrenches()[0].force.x < 0.0, "the ball is stopped");
    let center = group.models()[0].center();
    let speed: Vec3 = group.models()[0].v.iter().sum::<Vec3>() / group.models()[0].v.len() as f64;
    assert!(speed.x > 1.0 && center.x > 0.02, "{speed:?} {center:?}");
    // one that flies by touches nothing
    group.reset();
    let mut past = ball(-0.2, 0.22);
    for pose in [&mut past.begin, &mut past.end] {
        pose.position.y = 0.3;
    }
    group.set_tools(&[past]);
    run(&mut group, 1, 0.0);
    assert_eq!(group.contact_counts().rows, 0);
}

#[test]
fn a_tool_that_goes_through_a_plate_does_not_push_its_far_side() {
    let mut group = lone_plate();
    // its middle lies in the plate: the nearest point is 5 mm from it
    let rows = |group: &mut BodyGroup<Lump>| {
        group.set_tools(&[ball(0.02, 0.02)]);
        run(group, 1, 0.0);
        group.contact_counts().rows
    };
    assert!(rows(&mut group) > 0, "where it begins, it is pushed out");
    assert!(rows(&mut group) > 0, "and in the next frame");
    group.reset();
    group.set_tools(&[ball(-0.06, -0.06)]);
    run(&mut group, 1, 0.0);
    assert!(group.contact_counts().rows > 0, "it comes from one side");
    // the near side lies behind its middle now, and the far side deep in it
    assert_eq!(
        rows(&mut group),
        0,
        "it came to the far side from inside the plate"
    );
}

#[test]
fn a_fast_body_does_not_pass_through_a_plate() {
    let lumps = vec![Lump::new(&cube(), CELL), Lump::new(&plate(), CELL)];
    let homes = vec![Pose::at(Vec3::x() * -0.3), Pose::at(Vec3::zeros())];
    let mut group = BodyGroup::new(lumps, homes, GroupOptions::default());
    // half a metre a frame
    group.models_mut()[0].v.fill(Vec3::x() * 30.0);
    group.touch_up();
    let (linear, _) = momenta(&group);
    for _ in 0..6 {
        run(&mut group, 1, 0.0);
        let off = (momenta(&group).0 - linear).norm();
        assert!(off < 1e-9 * linear.norm(), "{off}");
    }
    let [cube, plate] = [0, 1].map(|k| group.models()[k].center().x);
    assert!(plate > 0.3 && cube < plate, "{cube} {plate}");
}

#[test]
fn the_rigid_share_of_a_body_does_not_depend_on_the_steps_of_others_or_on_their_failures() {
    // it falls onto the floor, far from the other body
    let at = [Vec3::new(0.0, 0.08, 0.0), Vec3::new(5.0, 5.0, 0.0)];
    let share = |factor: u32, needed: u32| {
        let mut group = group_of(&at, GroupOptions::default());
        group.set_tools(&[floor()]);
        let models = group.models_mut();
        models[0].spread = 0.8;
        models[0].has_own_contact_steps = true;
        models[0].v.fill(Vec3::y() * -1.0);
        models[1].steps = factor * models[0].steps;
        models[1].needed = needed * models[0].steps;
        group.touch_up();
        run(&mut group, 1, 0.0);
        group.solver.projections[0][0].share
    };
    let alone = share(1, 0);
    assert!(alone > 0.0 && alone < 0.8, "{alone}");
    // powers of two, so that no round-off differs
    assert_eq!([4, 32].map(|factor| share(factor, 0)), [alone; 2]);
    // the frame is repeated once and twice
    assert_eq!([3, 12].map(|needed| share(1, needed)), [alone; 2]);
}

/// Deepest violation (m) that a frame without gravity reports.
fn reported_violation(group: &mut BodyGroup<Lump>) -> f64 {
    let boundary = BoundaryConditions::default();
    let request = FrameRequest::new(1.0 / 60.0, &boundary);
    group.advance(request).expect("stable").max_violation
}

#[test]
fn the_violation_is_what_is_left_of_a_penetration_when_the_frame_ends() {
    // the lower face of a box slides over vertices of a cube, 5 mm below their height
    let depth = 5e-3;
    let at = |x: f64| Pose::at(Vec3::new(x, 1.5 * CELL - depth + 0.06, 0.0));
    let tool = Tool {
        name: "box".into(),
        shape: ToolShape::Box {
            half_size: Vec3::repeat(0.06),
            rounding: 0.0,
        },
        friction: Friction::None,
        adhesion: None,
        begin: at(-0.095),
        end: at(-0.075),
    };
    let mut group = group_of(&[Vec3::zeros()], GroupOptions::default());
    group.set_tools(std::slice::from_ref(&tool));
    let reported = reported_violation(&mut group);
    let at_beginning = group.contact_counts().depth;
    assert!((at_beginning - depth).abs() < 1e-9, "{at_beginning}");
    let points = group.models()[0].x.iter();
    let depths = points.map(|x| -tool.signed_distance(x).0);
    let deepest = depths.fold(0.0, f64::max);
    assert!((reported - deepest).abs() < 1e-12, "{reported} {deepest}");
    assert!(reported < 0.8 * depth, "{reported}");
}

#[test]
fn the_violation_of_two_bodies_is_the_depth_at_which_the_next_frame_begins() {
    let overlap = 4e-3;
    let above = Vec3::y() * (3.0 * CELL - overlap);
    let mut group = group_of(&[Vec3::zeros(), above], GroupOptions::default());
    let reported = reported_violation(&mut group);
    let at_beginning = group.contact_counts().depth;
    assert!((at_beginning - overlap).abs() < 1e-9, "{at_beginning}");
    assert!(reported > 0.0 && reported < 0.8 * overlap, "{reported}");
    run(&mut group, 1, 0.0);
    let next = group.contact_counts().depth;
    assert!(
        (reported - next).abs() < 0.02 * overlap,
        "{reported} {next}"
    );
}

#[test]
fn bodies_beside_each_other_are_not_inside_each_other_and_stay_where_they_are() {
    // the upper edge of the cube is 2 mm beside the rim of the flat body and 22 mm above it: behind the lower triangles of that rim, and outside
    let lumps = vec![Lump::new(&bipyramid(), CELL), Lump::new(&cube(), CELL)];
    let half = 1.5 * CELL;
    let beside = Vec3::new(0.102 + half, 0.022 - half, 0.5 * CELL);
    let homes = vec![Pose::at(Vec3::zeros()), Pose::at(beside)];
    let mut group = BodyGroup::new(lumps, homes, GroupOptions::default());
    assert_eq!(reported_violation(&mut group), 0.0);
    assert!(group.contact_counts().rows > 0, "they may touch");
    let speeds = group.models().iter().flat_map(|lump| &lump.v);
    let fastest = speeds.map(Vec3::norm).fold(0.0, f64::max);
    assert!(fastest < 1e-6, "{fastest} m/s");
}
