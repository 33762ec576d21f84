//! Tools that another one carries move with it as one hand, rigid or closing, and have the forces of tools that move by themselves.

use std::sync::Arc;

use pliant_core::contact::{Pose, PosePath};
use pliant_core::math::Vec3;
use pliant_core::model::SnapshotMismatch;
use pliant_core::scene::Method;
use pliant_simulation::setup::{Setup, SetupTool};
use pliant_simulation::world::{Interaction, World};
use pliant_tests::{PAD, bits, cases, scene, setup, step, world};

use crate::pad::assert_opposite;

/// Index of the palm: tools that it carries come before and after it.
const PALM: usize = 1;

/// The palm goes down by 15 mm and aside by 5 mm, across the direction in which the fingers lie.
const DOWN: &str = "{ t = 0.0, at = [0.0, 0.125, 0.001] }, { t = 0.4, at = [0.0, 0.11, 0.006] }";
/// It goes down, aside, and turns about all axes.
const TURNED: &str =
    "{ t = 0.0, at = [0.0, 0.2, 0.0] }, { t = 0.4, at = [0.01, 0.187, 0.005], turn = [5, 20, 3] }";

/// Fingers that follow it move along x in the axes of their place by 20 mm, and turn.
const CLOSE: &str = r#"
    [[path]]
    name = "close"
    interpolation = "smooth"
    keys = [ { t = 0.0, at = [0.0, 0.0, 0.0] }, { t = 0.4, at = [0.02, 0.0, 0.0], turn = [0, 0, 10] } ]
"#;
/// The motions of fingers that close towards each other: the right one stands the other way round.
const CLOSING: [&str; 2] = [
    "carried_by = \"palm\", at = [-0.06, -0.08, 0.01], path = \"close\"",
    "carried_by = \"palm\", at = [0.06, -0.08, 0.01], turn = [0, 180, 0], path = \"close\"",
];

/// The pad of these tests under a palm and two fingers with friction, each with the motion that is given.
fn hand(left: &str, palm: &str, right: &str, keys: &str) -> Arc<Setup> {
    let (body, _) = PAD.split_once("[[tool]]").expect("a tool");
    let tool = |name: &str, shape: &str, motion: &str| {
        format!(
            "[[tool]]\nname = \"{name}\"\nshape = {{ {shape} }}\ncontact = {{ mu_s = 0.4 }}\nmotion = {{ {motion} }}\n"
        )
    };
    let finger = "capsule = { radius = 0.06, half_length = 0.01 }";
    let path = |name: &str, aside: &str| {
        let keys = keys.replace("[0.0,", &format!("[{aside},"));
        format!("[[path]]\nname = \"{name}\"\ninterpolation = \"smooth\"\nkeys = [ {keys} ]\n")
    };
    let parts = [
        body.to_string(),
        tool("left", finger, left),
        tool("palm", "sphere = { radius = 0.05 }", palm),
        tool("right", finger, right),
        path("palm", "0.0"),
        path("left", "-0.06"),
        path("right", "0.06"),
        CLOSE.to_string(),
    ];
    setup(&scene(&parts.concat()))
}

/// The same body, with the tools of another scene.
fn under(body: &Setup, tools: &[SetupTool]) -> Arc<Setup> {
    let mut setup = body.clone();
    setup.tools = tools.to_vec();
    Arc::new(setup)
}

#[track_caller]
fn assert_same(a: &World, b: &World, case: &str) {
    let frame = a.frame_index();
    let poses = |world: &World| -> Vec<[Pose; 2]> {
        let tools = world.tools().iter();
        tools.map(|tool| [tool.begin, tool.end]).collect()
    };
    assert_eq!(poses(a), poses(b), "{case}: poses of frame {frame}");
    let (forces, others) = (&a.output().wrenches, &b.output().wrenches);
    assert_eq!(forces, others, "{case}: forces of frame {frame}");
    let same = bits(a.frame()) == bits(b.frame());
    assert!(same, "{case}: skin of frame {frame}");
}

#[track_caller]
fn assert_fingers_press(world: &World, case: &str) {
    for finger in [0, 2] {
        let force = world.output().wrenches[finger].force;
        assert!(force.y > 0.01, "{case}: {force:?} on finger {finger}");
    }
}

#[test]
fn a_hand_has_the_forces_of_the_same_tools_with_scripts_of_their_own() {
    let carried = hand(
        "carried_by = \"palm\", at = [-0.06, 0, 0]",
        "path = \"palm\"",
        "carried_by = \"palm\", at = [0.06, 0, 0]",
        DOWN,
    );
    let alone = hand(
        "path = \"left\"",
        "path = \"palm\"",
        "path = \"right\"",
        DOWN,
    );
    let mut on_pad = cases();
    on_pad.retain(|(case, ..)| case.ends_with("pad"));
    assert!(on_pad.len() > Method::ALL.len());
    for (case, body, method) in on_pad {
        let mut hand = world(&under(&body, &carried.tools), method);
        let mut scripts = world(&under(&body, &alone.tools), method);
        for _ in 0..30 {
            step(&mut hand);
            step(&mut scripts);
            assert_same(&hand, &scripts, &case);
        }
        assert_fingers_press(&hand, &case);
        assert_eq!(scripts.output().metrics.carrier_force, None);
    }
}

#[test]
fn a_hand_that_turns_carries_its_tools_rigidly_and_has_the_sum_of_their_wrenches() {
    let carried = hand(
        "carried_by = \"palm\", at = [-0.06, -0.08, 0.01], turn = [0, 0, 30]",
        "path = \"palm\"",
        "carried_by = \"palm\", at = [0.06, -0.08, 0], turn = [0, 0, -30]",
        TURNED,
    );
    assert_posed_alike(&carried);
}

#[test]
fn a_hand_that_closes_has_the_sum_of_the_wrenches_of_its_tools() {
    let [left, right] = CLOSING;
    assert_posed_alike(&hand(left, "path = \"palm\"", right, TURNED));
}

/// A hand has the forces and the skin of the same tools when a program poses each of them where it has to be, and its wrench is the sum of theirs.
#[track_caller]
fn assert_posed_alike(carried: &Arc<Setup>) {
    let posed = |tool: &SetupTool| SetupTool {
        path: PosePath::still(tool.path.pose(0.0)),
        carrier: None,
        ..tool.clone()
    };
    let posed: Vec<SetupTool> = carried.tools.iter().map(posed).collect();
    let posed = under(carried, &posed);
    for method in Method::ALL {
        let name = method.name();
        let mut hand = world(carried, method);
        let mut program = world(&posed, method);
        for frame in 0..30 {
            let end = f64::from(frame + 1) * carried.frame_duration();
            let palm = carried.tools[PALM].path.pose(end);
            for (k, tool) in carried.tools.iter().enumerate() {
                let pose = tool.carrier.as_ref().map_or(palm, |carrier| {
                    let place = carrier.place.pose(end);
                    Pose {
                        position: palm.position + palm.orientation * place.position,
                        orientation: palm.orientation * place.orientation,
                    }
                });
                program.pose_tool(k, Some(pose));
            }
            step(&mut hand);
            step(&mut program);
            assert_same(&hand, &program, name);
            check_sum(&hand, &palm.position, name);
        }
        assert_fingers_press(&hand, name);
    }
}

/// The wrench of the hand is opposite to all reactions, about the origin of the palm.
fn check_sum(world: &World, origin: &Vec3, name: &str) {
    let sum = world.wrench_with_carried(PALM);
    assert_opposite(world, (&sum, *origin), *origin, |_| true, name);
    let shown = world.output().metrics.carrier_force;
    assert_eq!(shown, Some(sum.force.norm()), "{name}");
}

#[test]
fn a_pointer_and_a_program_that_move_the_palm_move_all_fingers() {
    let setup = hand(
        "carried_by = \"palm\", at = [-0.06, -0.08, 0]",
        "device = \"pointer\", script = \"palm\"",
        "carried_by = \"palm\", at = [0.06, -0.08, 0], turn = [0, 0, 90]",
        TURNED,
    );
    let mut world = world(&setup, Method::Lattice);
    let is_rigid = |world: &World| {
        let palm = world.tools()[PALM].end;
        let mut tools = world.tools().iter().zip(&setup.tools);
        tools.all(|(tool, script)| {
            script
                .carrier
                .as_ref()
                .is_none_or(|carrier| tool.end == palm.carrying(&carrier.place.pose(0.0)))
        })
    };
    let place = Vec3::new(0.01, 0.21, -0.02);
    let pointer = Interaction {
        tool_position: Some(place),
        ..Interaction::default()
    };
    world.step_frame(&pointer).expect("a frame");
    assert!(world.tools()[PALM].end.position == place && is_rigid(&world));
    let turned = setup.tools[PALM].path.pose(0.3);
    world.pose_tool(PALM, Some(turned));
    step(&mut world);
    assert!(world.tools()[PALM].end == turned && is_rigid(&world));
    // a program may take a finger out of the hand, and give it back
    let away = Pose::at(Vec3::y());
    world.pose_tool(0, Some(away));
    step(&mut world);
    assert!(world.tools()[0].end == away && !is_rigid(&world));
    world.pose_tool(0, None);
    world.pose_tool(PALM, None);
    step(&mut world);
    assert!(is_rigid(&world));
    assert_eq!(
        world.tools()[PALM].end,
        setup.tools[PALM].path.pose(world.time())
    );
}

#[test]
fn fingers_close_in_the_axes_of_a_hand_that_the_pointer_moves() {
    let [left, right] = CLOSING;
    let palm = "device = \"pointer\", script = \"palm\"";
    let setup = hand(left, palm, right, TURNED);
    let mut world = world(&setup, Method::Lattice);
    for frame in 1..=30 {
        let aside = 1e-4 * f64::from(frame);
        let pointer = Interaction {
            tool_position: Some(Vec3::new(aside, 0.21, -aside)),
            ..Interaction::default()
        };
        world.step_frame(&pointer).expect("a frame");
        let palm = world.tools()[PALM].end;
        assert_eq!(Some(palm.position), pointer.tool_position);
        // smooth between 0 s and 0.4 s
        let s = (world.time() / 0.4).min(1.0);
        let closed = 0.02 * s * s * (3.0 - 2.0 * s);
        for (finger, side) in [(0, -1.0), (2, 1.0)] {
            let place = palm.to_local(&world.tools()[finger].end.position);
            let expected = Vec3::new(side * (0.06 - closed), -0.08, 0.01);
            assert!((place - expected).norm() < 1e-12, "{place:?} in {frame}");
        }
    }
}

#[test]
fn a_snapshot_of_the_same_body_with_other_tools_is_refused() {
    let setup = hand(
        "carried_by = \"palm\", at = [-0.06, 0, 0]",
        "path = \"palm\"",
        "carried_by = \"palm\", at = [0.06, 0, 0]",
        DOWN,
    );
    let mut first = world(&setup, Method::Lattice);
    let fewer = world(&under(&setup, &setup.tools[PALM..=PALM]), Method::Lattice);
    assert_eq!(first.restore(&fewer.snapshot()), Err(SnapshotMismatch));
    step(&mut first);
}
