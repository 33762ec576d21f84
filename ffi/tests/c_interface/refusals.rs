//! What a program gets wrong: a status with words, and nothing worse.

use pliant_ffi::border::memory::{Choice, Out, Rows, Text, UserData};
use pliant_ffi::border::{
    body, building, reading, scene, stepping, support, surface, tool, touching,
};
use pliant_ffi::{PliantBody, PliantMethod, PliantScene, PliantStatus, PliantTool, PliantWorld};

use crate::calls::{
    assert_ok, assert_refused, ball, build_world, fixed, last_code, last_error, no_out, no_rows,
    no_text, out, out_rows, pad, room, rows, text,
};

const POINTS: [[f32; 3]; 4] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
const FACES: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];

#[test]
fn null_handles_are_refused_and_freed_without_harm() {
    use PliantStatus::InvalidHandle;
    let world = PliantWorld::NULL;
    assert_refused(
        stepping::pliant_world_step(world),
        InvalidHandle,
        "the world is null",
    );
    assert_refused(
        body::pliant_body_set_on_floor(PliantBody::NULL),
        InvalidHandle,
        "the body is null",
    );
    assert_refused(
        tool::pliant_tool_set_poking(PliantTool::NULL),
        InvalidHandle,
        "the tool is null",
    );
    let mut object = world;
    let method = Choice::from(PliantMethod::Lattice);
    let status = building::pliant_scene_build(
        PliantScene::NULL,
        method,
        None,
        UserData::default(),
        out(&mut object),
    );
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
    assert_refused(
        body::pliant_body_free(freed),
        InvalidHandle,
        "the body was freed",
    );
    // another body in its place does not answer to the old handle
    let other = pad();
    assert_refused(
        body::pliant_body_set_on_floor(freed),
        InvalidHandle,
        "the body was freed",
    );
    assert_ok(body::pliant_body_free(other));
    let world = build_world(room(), PliantMethod::Lattice);
    assert_ok(stepping::pliant_world_free(world));
    assert_refused(
        stepping::pliant_world_step(world),
        InvalidHandle,
        "the world was freed",
    );
}

#[test]
fn a_handle_of_another_kind_and_one_that_was_made_up_are_refused() {
    use PliantStatus::InvalidHandle;
    let tool = ball();
    let disguised = PliantBody { id: tool.id };
    assert_refused(
        body::pliant_body_set_on_floor(disguised),
        InvalidHandle,
        "that of a tool, not of a body",
    );
    assert_refused(
        body::pliant_body_free(disguised),
        InvalidHandle,
        "that of a tool",
    );
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
    assert_refused(
        body::pliant_body_from_file(no_text(), out(&mut object)),
        NullPointer,
        "`path`",
    );
    assert_eq!(
        object,
        PliantBody::NULL,
        "a failed call leaves the null handle"
    );
    assert_refused(
        body::pliant_body_from_file(text(c"x.stl"), no_out()),
        NullPointer,
        "`body`",
    );
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
    let status = body::pliant_body_from_triangles(
        text(c"x"),
        no_rows(),
        4,
        rows(&FACES),
        4,
        out(&mut object),
    );
    assert_refused(status, NullPointer, "`positions`");
    let world = build_world(room(), PliantMethod::Lattice);
    let status = surface::pliant_world_positions(world, crate::calls::no_out_rows(), 0, no_out());
    assert_refused(status, NullPointer, "`count`");
    assert_refused(
        touching::pliant_world_tool_force(world, text(c"ball"), no_out()),
        NullPointer,
        "`force`",
    );
}

#[test]
fn text_that_is_not_utf8_is_refused_at_its_byte() {
    let mut object = PliantBody::NULL;
    let latin = c"m\xf6bius.stl";
    let status = body::pliant_body_from_file(text(latin), out(&mut object));
    assert_refused(
        status,
        PliantStatus::NotUtf8,
        "`path` is not UTF-8 from byte 1",
    );
    let mut object = PliantScene::NULL;
    let status = scene::pliant_scene_parse(text(latin), out(&mut object));
    assert_refused(status, PliantStatus::NotUtf8, "`text`");
}

#[test]
fn meshes_that_are_none_are_refused() {
    use PliantStatus::{BuildFailed, InvalidArgument};
    let mut object = PliantBody::NULL;
    let mut given = |points: &[[f32; 3]], vertices: usize, faces: &[[u32; 3]], triangles: usize| {
        let (points, faces) = (rows(points), rows(faces));
        body::pliant_body_from_triangles(
            text(c"tip"),
            points,
            vertices,
            faces,
            triangles,
            out(&mut object),
        )
    };
    let mut nan = POINTS;
    nan[2][1] = f32::NAN;
    assert_refused(
        given(&nan, 4, &FACES, 4),
        InvalidArgument,
        "`positions[2]` is not finite",
    );
    assert_eq!(last_code(), "NotFinite");
    assert_refused(
        given(&POINTS, 3, &FACES, 4),
        InvalidArgument,
        "`triangles[1]` names vertex 3",
    );
    for absurd in [
        usize::MAX,
        usize::MAX / 12,
        isize::MAX as usize,
        u32::MAX as usize + 1,
    ] {
        assert_refused(
            given(&POINTS, 4, &FACES, absurd),
            InvalidArgument,
            "`triangles` is said to have",
        );
        assert_refused(
            given(&POINTS, absurd, &FACES, 4),
            InvalidArgument,
            "`positions` is said to have",
        );
    }
    // nothing at all, and what bounds no solid, are told when the scene is built
    for (faces, count, word) in [(&FACES[..], 0, "no triangle"), (&FACES[..1], 1, "tip")] {
        let mut object = PliantBody::NULL;
        let status = body::pliant_body_from_triangles(
            text(c"tip"),
            rows(&POINTS),
            4,
            rows(faces),
            count,
            out(&mut object),
        );
        assert_ok(status);
        assert_refused(build(object), BuildFailed, word);
    }
    let flat = [[0_u32, 1, 2, 2]];
    let nodes = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let mut object = PliantBody::NULL;
    assert_ok(body::pliant_body_from_tetrahedra(
        text(c"flat"),
        rows(&nodes),
        3,
        rows(&flat),
        1,
        out(&mut object),
    ));
    assert_refused(build(object), BuildFailed, "flat");
}

fn build(body: PliantBody) -> PliantStatus {
    let mut object = PliantScene::NULL;
    assert_ok(scene::pliant_scene_new(text(c"one"), out(&mut object)));
    assert_ok(scene::pliant_scene_add_body(object, body));
    let mut world = PliantWorld::NULL;
    let method = Choice::from(PliantMethod::Lattice);
    building::pliant_scene_build(object, method, None, UserData::default(), out(&mut world))
}

#[test]
fn numbers_keys_and_names_that_are_wrong_are_named() {
    use PliantStatus::{BuildFailed, InvalidArgument, NotFound};
    let wrong = pad();
    let status = body::pliant_body_set_material(wrong, 1e4, f64::NAN, 1000.0, 0.1);
    assert_refused(status, InvalidArgument, "`poisson`");
    assert_refused(
        body::pliant_body_set(wrong, text(c"mesh.units"), text(c"mm")),
        InvalidArgument,
        "`mm` is no value",
    );
    assert_refused(
        support::pliant_body_hold_lowest(wrong, f64::INFINITY),
        InvalidArgument,
        "`share`",
    );
    assert_ok(body::pliant_body_set_material(wrong, 1e4, 0.7, 1000.0, 0.1));
    assert_refused(build(wrong), BuildFailed, "poisson");
    let wrong = pad();
    assert_ok(body::pliant_body_set(
        wrong,
        text(c"lattice.cel"),
        text(c"0.1"),
    ));
    assert_refused(build(wrong), BuildFailed, "did you mean `cell`?");
    assert_eq!(last_code(), "UnknownKey");

    let world = build_world(room(), PliantMethod::Lattice);
    let nan = [0.0, f64::NAN, 0.0];
    assert_refused(
        touching::pliant_world_move_tool(world, text(c"ball"), fixed(&nan)),
        InvalidArgument,
        "`position`",
    );
    assert_refused(
        touching::pliant_world_move_tool(world, text(c"thumb"), fixed(&[0.0; 3])),
        NotFound,
        "it has `ball`",
    );
    let status =
        touching::pliant_world_pose_tool(world, text(c"ball"), fixed(&[0.0; 3]), fixed(&[0.0; 4]));
    assert_refused(status, InvalidArgument, "no orientation");
    assert_refused(
        touching::pliant_world_push(world, 1_000_000, fixed(&[0.0; 3])),
        InvalidArgument,
        "no vertex",
    );
    assert_refused(
        touching::pliant_world_grab(world, rows(&[[9_999_u32]]), 1, fixed(&[0.0; 3])),
        InvalidArgument,
        "9999",
    );
    let status = reading::pliant_world_name(
        world,
        Choice::new(9),
        0,
        crate::calls::no_out_rows(),
        0,
        no_out(),
    );
    assert_refused(status, InvalidArgument, "`kind` is 9");
    let mut other = PliantWorld::NULL;
    let status = building::pliant_scene_build(
        room(),
        Choice::new(-1),
        None,
        UserData::default(),
        out(&mut other),
    );
    assert_refused(status, InvalidArgument, "`method` is -1");
    // and it still steps
    assert_ok(stepping::pliant_world_step(world));
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
    assert_refused(
        stepping::pliant_world_step(PliantWorld::NULL),
        PliantStatus::InvalidHandle,
        "null",
    );
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
