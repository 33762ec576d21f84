//! What a program gets wrong: a status with words, and nothing worse.

use pliant_ffi::border::memory::{Choice, Out, Rows, Text, UserData};
use pliant_ffi::border::{
    body, building, reading, scene, stepping, support, surface, tool, touching,
};
use pliant_ffi::{PliantBody, PliantMethod, PliantScene, PliantStatus, PliantTool, PliantWorld};

use crate::calls::{
    assert_ok, assert_refused, ball, build_in_vain, build_world, fixed, last_code, last_error,
    no_out, no_out_rows, no_rows, no_text, out, out_rows, output_of, pad, room, rows, scene_of,
    set, step, text,
};

const POINTS: [[f32; 3]; 4] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
const FACES: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];

#[test]
fn null_handles_are_refused_and_freed_without_harm() {
    use PliantStatus::InvalidHandle;
    let world = PliantWorld::NULL;
    let status = stepping::pliant_world_step(world);
    assert_refused(status, InvalidHandle, "the world is null");
    let status = body::pliant_body_set_on_floor(PliantBody::NULL);
    assert_refused(status, InvalidHandle, "the body is null");
    let status = tool::pliant_tool_set_poking(PliantTool::NULL);
    assert_refused(status, InvalidHandle, "the tool is null");
    let status = build_in_vain(PliantScene::NULL);
    assert_refused(status, InvalidHandle, "the scene is null");
    assert_eq!(last_code(), "InvalidHandle");
    assert_ok(stepping::pliant_world_free(world));
    assert_ok(body::pliant_body_free(PliantBody::NULL));
}

#[test]
fn a_handle_is_used_up_when_it_is_freed() {
    use PliantStatus::InvalidHandle;
    let freed = pad();
    assert_ok(body::pliant_body_free(freed));
    let status = body::pliant_body_free(freed);
    assert_refused(status, InvalidHandle, "the body was freed");
    // another body in its place does not answer to the old handle
    let other = pad();
    let status = body::pliant_body_set_on_floor(freed);
    assert_refused(status, InvalidHandle, "the body was freed");
    assert_ok(body::pliant_body_free(other));
    let world = build_world(room(), PliantMethod::Lattice);
    assert_ok(stepping::pliant_world_free(world));
    let status = stepping::pliant_world_step(world);
    assert_refused(status, InvalidHandle, "the world was freed");
}

#[test]
fn a_handle_of_another_kind_and_one_that_was_made_up_are_refused() {
    use PliantStatus::InvalidHandle;
    let tool = ball();
    let disguised = PliantBody { id: tool.id };
    let status = body::pliant_body_set_on_floor(disguised);
    assert_refused(status, InvalidHandle, "that of a tool, not of a body");
    let status = body::pliant_body_free(disguised);
    assert_refused(status, InvalidHandle, "that of a tool");
    assert_ok(tool::pliant_tool_set_poking(tool));
    for id in [1, 0x0100_0001_0000_ffff, u64::MAX, 0x7f00_0000_0000_0001] {
        let made_up = PliantBody { id };
        assert_refused(body::pliant_body_set_on_floor(made_up), InvalidHandle, "");
        assert_refused(body::pliant_body_free(made_up), InvalidHandle, "");
    }
}

#[test]
fn null_and_misaligned_pointers_are_refused() {
    use PliantStatus::{InvalidArgument, NullPointer};
    let mut object = PliantBody { id: 7 };
    let status = body::pliant_body_from_file(no_text(), out(&mut object));
    assert_refused(status, NullPointer, "`path`");
    // a failed call leaves the null handle
    assert_eq!(object, PliantBody::NULL);
    let status = body::pliant_body_from_file(text(c"x.stl"), no_out());
    assert_refused(status, NullPointer, "`body`");
    let sides = |p: *const [f64; 3]| {
        // SAFETY: null, or misaligned, which is refused before it is read
        unsafe { pliant_ffi::border::memory::Fixed::new(p) }
    };
    let status =
        body::pliant_body_box(text(c"box"), sides(std::ptr::null()), 0.1, out(&mut object));
    assert_refused(status, NullPointer, "`sides`");
    let numbers = [0.1; 4];
    let askew = numbers
        .as_ptr()
        .cast::<u8>()
        .wrapping_add(1)
        .cast::<[f64; 3]>();
    let status = body::pliant_body_box(text(c"box"), sides(askew), 0.1, out(&mut object));
    assert_refused(status, InvalidArgument, "not aligned");
    let (faces, body) = (rows(&FACES), out(&mut object));
    let status = body::pliant_body_from_triangles(text(c"x"), no_rows(), 4, faces, 4, body);
    assert_refused(status, NullPointer, "`positions`");
    let world = build_world(room(), PliantMethod::Lattice);
    let status = surface::pliant_world_positions(world, no_out_rows(), 0, no_out());
    assert_refused(status, NullPointer, "`count`");
    let status = touching::pliant_world_tool_force(world, text(c"ball"), no_out());
    assert_refused(status, NullPointer, "`force`");
}

#[test]
fn text_that_is_not_utf8_is_refused_at_its_byte() {
    let mut object = PliantBody::NULL;
    let latin = c"m\xf6bius.stl";
    let status = body::pliant_body_from_file(text(latin), out(&mut object));
    let words = "`path` is not UTF-8 from byte 1";
    assert_refused(status, PliantStatus::NotUtf8, words);
    let mut object = PliantScene::NULL;
    let status = scene::pliant_scene_parse(text(latin), out(&mut object));
    assert_refused(status, PliantStatus::NotUtf8, "`text`");
}

#[test]
fn meshes_that_are_none_are_refused() {
    use PliantStatus::{BuildFailed, InvalidArgument};
    let mut object = PliantBody::NULL;
    let mut given = |points: &[[f32; 3]], vertices: usize, faces: &[[u32; 3]], triangles: usize| {
        let (points, faces, body) = (rows(points), rows(faces), out(&mut object));
        body::pliant_body_from_triangles(text(c"tip"), points, vertices, faces, triangles, body)
    };
    let mut nan = POINTS;
    nan[2][1] = f32::NAN;
    let status = given(&nan, 4, &FACES, 4);
    assert_refused(status, InvalidArgument, "`positions[2]` is not finite");
    assert_eq!(last_code(), "NotFinite");
    let status = given(&POINTS, 3, &FACES, 4);
    assert_refused(status, InvalidArgument, "`triangles[1]` names vertex 3");
    let (half, beyond) = (isize::MAX as usize, u32::MAX as usize + 1);
    for absurd in [usize::MAX, usize::MAX / 12, half, beyond] {
        let status = given(&POINTS, 4, &FACES, absurd);
        assert_refused(status, InvalidArgument, "`triangles` is said to have");
        let status = given(&POINTS, absurd, &FACES, 4);
        assert_refused(status, InvalidArgument, "`positions` is said to have");
    }
    // nothing at all, and what bounds no solid, are told when the scene is built
    for (faces, count, word) in [(&FACES[..], 0, "no triangle"), (&FACES[..1], 1, "tip")] {
        let (points, faces) = (rows(&POINTS), rows(faces));
        let tip = output_of(|tip| {
            body::pliant_body_from_triangles(text(c"tip"), points, 4, faces, count, tip)
        });
        assert_refused(build(tip), BuildFailed, word);
    }
    let flat = [[0_u32, 1, 2, 2]];
    let nodes = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let (nodes, tets) = (rows(&nodes), rows(&flat));
    let flat =
        output_of(|flat| body::pliant_body_from_tetrahedra(text(c"flat"), nodes, 3, tets, 1, flat));
    assert_refused(build(flat), BuildFailed, "flat");
}

fn build(body: PliantBody) -> PliantStatus {
    build_in_vain(scene_of(c"one", body))
}

#[test]
fn numbers_keys_and_names_that_are_wrong_are_named() {
    use PliantStatus::{BuildFailed, InvalidArgument, NotFound};
    let wrong = pad();
    let status = body::pliant_body_set_material(wrong, 1e4, f64::NAN, 1000.0, 0.1);
    assert_refused(status, InvalidArgument, "`poisson`");
    let status = body::pliant_body_set(wrong, text(c"mesh.units"), text(c"mm"));
    assert_refused(status, InvalidArgument, "`mm` is no value");
    let status = support::pliant_body_hold_lowest(wrong, f64::INFINITY);
    assert_refused(status, InvalidArgument, "`share`");
    assert_ok(body::pliant_body_set_material(wrong, 1e4, 0.7, 1000.0, 0.1));
    assert_refused(build(wrong), BuildFailed, "poisson");
    let wrong = pad();
    set(wrong, c"lattice.cel", c"0.1");
    assert_refused(build(wrong), BuildFailed, "did you mean `cell`?");
    assert_eq!(last_code(), "UnknownKey");

    let world = build_world(room(), PliantMethod::Lattice);
    let nan = [0.0, f64::NAN, 0.0];
    let status = touching::pliant_world_move_tool(world, text(c"ball"), fixed(&nan));
    assert_refused(status, InvalidArgument, "`position`");
    let status = touching::pliant_world_move_tool(world, text(c"thumb"), fixed(&[0.0; 3]));
    assert_refused(status, NotFound, "it has `ball`");
    let status =
        touching::pliant_world_pose_tool(world, text(c"ball"), fixed(&[0.0; 3]), fixed(&[0.0; 4]));
    assert_refused(status, InvalidArgument, "no orientation");
    let status = touching::pliant_world_push(world, 1_000_000, fixed(&[0.0; 3]));
    assert_refused(status, InvalidArgument, "no vertex");
    let status = touching::pliant_world_grab(world, rows(&[[9_999]]), 1, fixed(&[0.0; 3]));
    assert_refused(status, InvalidArgument, "9999");
    let status = reading::pliant_world_name(world, Choice::new(9), 0, no_out_rows(), 0, no_out());
    assert_refused(status, InvalidArgument, "`kind` is 9");
    let (method, none) = (Choice::new(-1), UserData::default());
    let mut other = PliantWorld::NULL;
    let status = building::pliant_scene_build(room(), method, None, none, out(&mut other));
    assert_refused(status, InvalidArgument, "`method` is -1");
    // and it still steps
    step(world, 1);
}

#[test]
fn a_buffer_that_is_too_small_stays_as_it_is() {
    let world = build_world(room(), PliantMethod::Lattice);
    let mut few = [[7.0_f32; 3]; 4];
    let mut count = 0;
    let place = out_rows(&mut few);
    let status = surface::pliant_world_positions(world, place, 4, out(&mut count));
    assert_refused(status, PliantStatus::BufferTooSmall, "place for 4");
    assert!(count > 4, "{count}");
    assert_eq!(few, [[7.0; 3]; 4]);
}

#[test]
fn the_last_error_belongs_to_its_thread() {
    let status = stepping::pliant_world_step(PliantWorld::NULL);
    assert_refused(status, PliantStatus::InvalidHandle, "null");
    let there = std::thread::spawn(last_error).join().expect("a thread");
    assert_eq!(there, "");
    // a call that goes well leaves it
    assert_ok(body::pliant_body_free(pad()));
    assert!(last_error().contains("the world is null"));
}

#[test]
fn arguments_have_the_size_of_a_pointer() {
    let pointer = size_of::<*const u8>();
    assert_eq!(size_of::<Text>(), pointer);
    assert_eq!(size_of::<Rows<f32, 3>>(), pointer);
    assert_eq!(size_of::<Out<PliantBody>>(), pointer);
    assert_eq!(size_of::<PliantBody>(), 8);
    assert_eq!(size_of::<PliantStatus>(), 4);
    assert_eq!(size_of::<Choice<PliantMethod>>(), 4);
}
