//! Tools of every shape, a hand, and what they feel.

use pliant_ffi::border::{scene, stepping, surface, tool, touching};
use pliant_ffi::{PliantMethod, PliantStatus, PliantTool};

use crate::calls::{
    assert_ok, assert_refused, ball, build_world, displacement, fixed, last_code, nearest_vertex,
    no_out, no_rows, out, output_of, pad, room, rows, scene_of, step, text,
};

#[test]
fn tools_of_every_shape_touch() {
    let at = [0.0, 0.2, 0.0];
    let place = || fixed(&at);
    let capsule = output_of(|capsule| {
        tool::pliant_tool_capsule(text(c"capsule"), 0.08, 0.05, place(), capsule)
    });
    let cylinder = output_of(|cylinder| {
        tool::pliant_tool_cylinder(text(c"cylinder"), 0.08, 0.1, place(), cylinder)
    });
    let cube = output_of(|cube| {
        tool::pliant_tool_box(text(c"cube"), fixed(&[0.2; 3]), 0.08, place(), cube)
    });
    let floor = output_of(|floor| tool::pliant_tool_floor(text(c"floor"), -0.06, floor));
    let ball = output_of(|ball| tool::pliant_tool_sphere(text(c"ball"), 0.08, place(), ball));
    assert_ok(tool::pliant_tool_set_friction(ball, 0.5, 0.4));
    let positions = [[0.0, 0.14, 0.0], [0.0, 0.11, 0.0]];
    let follow = |times: [[f64; 1]; 2]| {
        tool::pliant_tool_set_path(ball, rows(&times), rows(&positions), no_rows(), 2, 0)
    };
    assert_ok(follow([[0.0], [0.1]]));
    let status = follow([[0.1], [0.0]]);
    assert_refused(status, PliantStatus::InvalidArgument, "`ball`");
    let room = scene_of(c"room", pad());
    for tool in [capsule, cylinder, cube, floor, ball] {
        assert_ok(scene::pliant_scene_add_tool(room, tool));
        assert_ok(tool::pliant_tool_free(tool));
    }
    let world = build_world(room, PliantMethod::Lattice);
    step(world, 12);
    let force = output_of(|force| {
        let mut torque = [0.0; 3];
        touching::pliant_world_tool_wrench(world, text(c"ball"), force, out(&mut torque))
    });
    assert!(
        force[1] > 0.1,
        "the ball follows its path into the pad: {force:?} N"
    );
    let with_carried = output_of(|force| {
        touching::pliant_world_wrench_with_carried(world, text(c"ball"), force, no_out())
    });
    assert_eq!(with_carried, force, "it carries nothing");
    let turned = [0.0, 0.0, 1.0, 0.0];
    let status = touching::pliant_world_pose_tool(world, text(c"ball"), place(), fixed(&turned));
    assert_ok(status);
    step(world, 1);
    let (mut position, mut orientation) = ([0.0; 3], [0.0; 4]);
    let (first, second) = (out(&mut position), out(&mut orientation));
    let status = touching::pliant_world_tool_pose(world, text(c"ball"), first, second);
    assert_ok(status);
    assert_eq!((position, orientation), (at, turned));
    assert_ok(touching::pliant_world_release_tool(world, text(c"ball")));
}

/// How far a ball is lifted after it was pressed into the pad, m: to 7 mm above where it first touched.
const LIFT: f64 = 0.014;

/// Presses a ball into the pad, lifts it and waits. Gives the vertical force on it, N, and how far the skin below it rose, m.
fn pressed_and_lifted(contact: impl FnOnce(PliantTool)) -> [f64; 2] {
    let (room, ball) = (scene_of(c"room", pad()), ball());
    contact(ball);
    assert_ok(scene::pliant_scene_add_tool(room, ball));
    assert_ok(scene::pliant_scene_set_gravity(room, fixed(&[0.0; 3])));
    assert_ok(tool::pliant_tool_free(ball));
    let world = build_world(room, PliantMethod::Lattice);
    let below = nearest_vertex(world, [0.02, 0.05, 0.02]);
    let move_from = |height: f64, by: f64| {
        for frame in 1..=30 {
            let at = [0.0, height + by * f64::from(frame) / 30.0, 0.0];
            let status = touching::pliant_world_move_tool(world, text(c"ball"), fixed(&at));
            assert_ok(status);
            step(world, 1);
        }
    };
    move_from(0.14, -0.022);
    let pressed = displacement(world, below)[1];
    move_from(0.118, LIFT);
    step(world, 30);
    let force =
        output_of(|force| touching::pliant_world_tool_force(world, text(c"ball"), force))[1];
    [force, displacement(world, below)[1] - pressed]
}

#[test]
fn what_sticks_to_a_tool_rises_with_it_and_a_bond_that_is_too_weak_lets_go() {
    use tool::{pliant_tool_set_bonded, pliant_tool_set_sticky};
    let [force, _] = pressed_and_lifted(|_| ());
    assert_eq!(force, 0.0, "nothing sticks");
    let [force, _] = pressed_and_lifted(|ball| assert_ok(pliant_tool_set_bonded(ball, 1e-3)));
    assert_eq!(force, 0.0, "it has come off");
    type SetContact = extern "C" fn(PliantTool, f64) -> PliantStatus;
    let strong: [(SetContact, f64); 3] = [
        (pliant_tool_set_sticky, f64::INFINITY),
        (pliant_tool_set_sticky, 1e3),
        (pliant_tool_set_bonded, 1e3),
    ];
    for (set, pull) in strong {
        let [force, risen] = pressed_and_lifted(|ball| assert_ok(set(ball, pull)));
        assert!(force < -0.1, "it is held down: {force} N");
        assert!((risen - LIFT).abs() < 1e-3, "{risen} m");
    }
    let ball = ball();
    let both: [SetContact; 2] = [pliant_tool_set_sticky, pliant_tool_set_bonded];
    for set in both {
        assert_refused(set(ball, f64::NAN), PliantStatus::InvalidArgument, "`pull`");
    }
    assert_ok(tool::pliant_tool_free(ball));
}

#[test]
fn a_hand_grabs_pushes_and_picks() {
    let world = build_world(room(), PliantMethod::Lattice);
    let top = nearest_vertex(world, [0.0, 0.1, 0.0]);
    for _ in 0..20 {
        let grab = touching::pliant_world_grab(world, rows(&[[top]]), 1, fixed(&[0.01, 0.0, 0.0]));
        assert_ok(grab);
        step(world, 1);
    }
    let moved = displacement(world, top);
    assert!((moved[0] - 0.01).abs() < 1e-3, "{moved:?} m");
    let force = output_of(|force| touching::pliant_world_grab_force(world, force));
    assert!(force[0] > 0.0, "{force:?} N");
    let support =
        output_of(|force| touching::pliant_world_support_force(world, text(c"foot"), force));
    assert!(support[0] < 0.0, "{support:?} N");
    assert_ok(touching::pliant_world_release_grab(world));
    assert_ok(stepping::pliant_world_reset(world));
    let down = [0.0, -1.0, 0.0];
    assert_ok(touching::pliant_world_push(world, top, fixed(&down)));
    step(world, 1);
    let moved = displacement(world, top);
    assert!(moved[1] < 0.0, "{moved:?} m");

    let (mut far, mut triangle) = (0.0, u32::MAX);
    let above = fixed(&[0.01, 1.0, 0.01]);
    let (distance, picked) = (out(&mut far), out(&mut triangle));
    let status = surface::pliant_world_pick(world, above, fixed(&down), distance, picked);
    assert_ok(status);
    assert!((far - 0.95).abs() < 0.01, "{far} m");
    let (above, up) = (fixed(&[0.01, 1.0, 0.01]), fixed(&[0.0, 1.0, 0.0]));
    let status = surface::pliant_world_pick(world, above, up, no_out(), no_out());
    assert_refused(status, PliantStatus::NotFound, "nothing");
}

#[test]
fn a_hand_moves_each_vertex_by_a_displacement_of_its_own() {
    let world = build_world(room(), PliantMethod::Quasistatic);
    let ends = [-0.06, 0.06].map(|x| [nearest_vertex(world, [x, 0.05, 0.0])]);
    let apart = [[-1e-3, 0.0, 5e-4], [2e-3, 0.0, 0.0]];
    // the first frame takes hold of them
    for _ in 0..2 {
        let status = touching::pliant_world_grab_each(world, rows(&ends), rows(&apart), ends.len());
        assert_ok(status);
        step(world, 1);
    }
    for ([vertex], expected) in ends.into_iter().zip(apart) {
        let moved = displacement(world, vertex);
        let mut pairs = moved.iter().zip(&expected);
        assert!(
            pairs.all(|(x, y)| (x - y).abs() < 1e-5),
            "{moved:?} m, wanted {expected:?} m"
        );
    }
}

#[test]
fn displacements_that_cannot_be_imposed_are_named() {
    use PliantStatus::{InvalidArgument, NullPointer};
    let world = build_world(room(), PliantMethod::Lattice);
    let grabbed = |vertices: [u32; 2], displacements: [[f64; 3]; 2]| {
        let vertices = vertices.map(|vertex| [vertex]);
        touching::pliant_world_grab_each(world, rows(&vertices), rows(&displacements), 2)
    };
    let (rest, up) = ([0.0; 3], [0.0, 1e-3, 0.0]);
    let status = grabbed([0, 1], [rest, [f64::NAN, 0.0, 0.0]]);
    assert_refused(status, InvalidArgument, "`displacements[1]`");
    assert_refused(grabbed([0, 9_999], [rest, up]), InvalidArgument, "9999");
    assert_refused(grabbed([5, 5], [rest, up]), InvalidArgument, "vertex 5");
    assert_eq!(last_code(), "VertexTwice");
    let status = touching::pliant_world_grab_each(world, rows(&[[0]]), no_rows(), 1);
    assert_refused(status, NullPointer, "`displacements`");
    assert_ok(grabbed([5, 5], [up, up]));
    step(world, 1);
}
