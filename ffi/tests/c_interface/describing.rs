//! What describes a body, a tool and a scene: it takes effect, and what is wrong is named.

use pliant_ffi::border::memory::{Choice, UserData};
use pliant_ffi::border::{body, building, reading, scene, stepping, support, surface, tool};
use pliant_ffi::{
    PliantBody, PliantMethod, PliantName, PliantScene, PliantStatus, PliantTool, PliantWorld,
};

use crate::calls::{
    assert_ok, assert_refused, build_world, fixed, last_code, no_out, no_out_rows, no_rows,
    no_text, one_body, out, out_rows, pad, room, rows, text,
};

/// A lattice of a scene, which has to fail.
fn build(scene: PliantScene) -> PliantStatus {
    let mut world = PliantWorld { id: 7 };
    let method = Choice::from(PliantMethod::Lattice);
    let none = UserData::default();
    let status = building::pliant_scene_build(scene, method, None, none, out(&mut world));
    assert_eq!(world, PliantWorld::NULL);
    status
}

/// Vertex that is nearest to a place, and how far it has moved.
fn moved(world: PliantWorld, place: [f64; 3]) -> (u32, f64) {
    let (mut vertex, mut by) = (0, [0.0; 3]);
    let nearest = surface::pliant_world_nearest_vertex(world, fixed(&place), out(&mut vertex));
    assert_ok(nearest);
    assert_ok(surface::pliant_world_displacement(
        world,
        vertex,
        out(&mut by),
    ));
    (vertex, by.iter().map(|x| x * x).sum::<f64>().sqrt())
}

fn positions(world: PliantWorld) -> Vec<[f32; 3]> {
    let mut count = 0;
    let asked = surface::pliant_world_positions(world, no_out_rows(), 0, out(&mut count));
    assert_ok(asked);
    let mut all = vec![[0.0; 3]; count];
    let place = out_rows(&mut all);
    assert_ok(surface::pliant_world_positions(
        world,
        place,
        count,
        no_out(),
    ));
    all
}

fn boxed() -> PliantBody {
    let mut object = PliantBody::NULL;
    let sides = fixed(&[0.2, 0.1, 0.2]);
    assert_ok(body::pliant_body_box(
        text(c"pad"),
        sides,
        0.04,
        out(&mut object),
    ));
    let cell = text(c"0.04");
    assert_ok(body::pliant_body_set(object, text(c"lattice.cell"), cell));
    object
}

#[test]
fn a_body_is_held_in_a_ball_and_by_the_numbers_of_vertices() {
    let (left, right) = ([-0.1, 0.0, 0.0], [0.1, 0.0, 0.0]);
    let still = build_world(one_body(pad()), PliantMethod::Lattice);
    let corners = [[-0.1, -0.05, -0.1], [-0.1, -0.05, 0.1], [-0.1, 0.05, -0.1]];
    let corners = corners.map(|place| [moved(still, place).0]);
    for by_number in [false, true] {
        let object = boxed();
        let status = match by_number {
            true => support::pliant_body_hold_vertices(object, text(c"left"), rows(&corners), 3),
            false => support::pliant_body_hold_sphere(object, text(c"left"), fixed(&left), 0.12),
        };
        assert_ok(status);
        let world = build_world(one_body(object), PliantMethod::Lattice);
        for _ in 0..10 {
            assert_ok(stepping::pliant_world_step(world));
        }
        let held = match by_number {
            true => [-0.1, -0.05, -0.1],
            false => left,
        };
        let (there, here) = (moved(world, right).1, moved(world, held).1);
        assert!(there > 1e-3, "it hangs: {there} m");
        assert!(here < 0.05 * there, "it is held: {here} m of {there} m");
        let mut bytes = [[0; 1]; 8];
        let kind = Choice::from(PliantName::Support);
        let place = out_rows(&mut bytes);
        assert_ok(reading::pliant_world_name(
            world,
            kind,
            0,
            place,
            8,
            no_out(),
        ));
        let name = bytes.iter().map(|b| b[0] as u8).take_while(|&b| b != 0);
        assert_eq!(name.collect::<Vec<u8>>(), b"left");
    }
}

#[test]
fn supports_that_are_none_are_refused() {
    use PliantStatus::{BuildFailed, InvalidArgument, InvalidHandle, NullPointer};
    let (wrong, middle) = (boxed(), || fixed(&[0.0; 3]));
    let ball = |radius| support::pliant_body_hold_sphere(wrong, text(c"a"), middle(), radius);
    assert_refused(ball(f64::NAN), InvalidArgument, "`radius`");
    let nan = [0.0, f64::NAN, 0.0];
    let status = support::pliant_body_hold_sphere(wrong, text(c"a"), fixed(&nan), 0.1);
    assert_refused(status, InvalidArgument, "`center`");
    let status = support::pliant_body_hold_sphere(wrong, no_text(), middle(), 0.1);
    assert_refused(status, NullPointer, "`name`");
    let status = support::pliant_body_hold_sphere(PliantBody::NULL, text(c"a"), middle(), 0.1);
    assert_refused(status, InvalidHandle, "the body is null");
    let status = support::pliant_body_hold_vertices(wrong, text(c"a"), no_rows(), 3);
    assert_refused(status, NullPointer, "`vertices`");
    let status = support::pliant_body_hold_vertices(wrong, text(c"a"), no_rows(), usize::MAX);
    assert_refused(status, NullPointer, "`vertices`");
    let status = support::pliant_body_hold_vertices(wrong, text(c"a"), rows(&[[0]]), usize::MAX);
    assert_refused(status, InvalidArgument, "`vertices` is said to have");
    let null = PliantBody::NULL;
    let status = support::pliant_body_hold_vertices(null, text(c"a"), rows(&[[0]]), 1);
    assert_refused(status, InvalidHandle, "the body is null");
    // numbers are those of the skin, which is there when the scene is built
    let beyond = support::pliant_body_hold_vertices(wrong, text(c"a"), rows(&[[99_999]]), 1);
    assert_ok(beyond);
    assert_refused(
        build(one_body(wrong)),
        BuildFailed,
        "list vertices from 0 to ",
    );
}

#[test]
fn a_body_of_our_own_has_the_length_that_is_asked_for() {
    use PliantStatus::{BuildFailed, InvalidArgument, InvalidHandle, NullPointer};
    let mut object = PliantBody::NULL;
    assert_ok(body::pliant_body_procedural(
        text(c"torus"),
        out(&mut object),
    ));
    let keys = [(c"mesh.edge", c"0.015"), (c"lattice.cell", c"0.03")];
    for (key, value) in keys {
        assert_ok(body::pliant_body_set(object, text(key), text(value)));
    }
    assert_ok(body::pliant_body_set_longest(object, 0.25));
    let world = build_world(one_body(object), PliantMethod::Lattice);
    let all = positions(world);
    let side = |k: usize| {
        let x = all.iter().map(|x| x[k]);
        x.clone().fold(f32::MIN, f32::max) - x.fold(f32::MAX, f32::min)
    };
    let longest = [0, 1, 2].map(side).into_iter().fold(0.0, f32::max);
    assert!((longest - 0.25).abs() < 1e-5, "{longest} m");

    let mut object = PliantBody { id: 7 };
    let status = body::pliant_body_procedural(no_text(), out(&mut object));
    assert_refused(status, NullPointer, "`shape`");
    assert_eq!(object, PliantBody::NULL);
    let status = body::pliant_body_procedural(text(c"torus"), no_out());
    assert_refused(status, NullPointer, "`body`");
    assert_ok(body::pliant_body_procedural(
        text(c"tores"),
        out(&mut object),
    ));
    let status = body::pliant_body_set_longest(object, f64::INFINITY);
    assert_refused(status, InvalidArgument, "`length`");
    let status = body::pliant_body_set_longest(PliantBody::NULL, 0.1);
    assert_refused(status, InvalidHandle, "the body is null");
    assert_refused(build(one_body(object)), BuildFailed, "tores");
    let short = pad();
    assert_ok(body::pliant_body_set_longest(short, -1.0));
    assert_refused(build(one_body(short)), BuildFailed, "longest");
}

#[test]
fn keys_and_frame_rate_of_a_scene_take_effect() {
    use PliantStatus::{BuildFailed, InvalidArgument, InvalidHandle, NullPointer};
    let duration = |scene| {
        let mut seconds = 0.0;
        let world = build_world(scene, PliantMethod::Lattice);
        let asked = stepping::pliant_world_frame_duration(world, out(&mut seconds));
        assert_ok(asked);
        seconds
    };
    let fast = room();
    assert_ok(scene::pliant_scene_set_frame_rate(fast, 120.0));
    assert_eq!(duration(fast), 1.0 / 120.0);
    let slow = room();
    let rate = text(c"frame_rate");
    assert_ok(scene::pliant_scene_set(slow, rate, text(c"30.0")));
    assert_eq!(duration(slow), 1.0 / 30.0);

    let wrong = room();
    let null = PliantScene::NULL;
    let status = scene::pliant_scene_set_frame_rate(wrong, f64::NAN);
    assert_refused(status, InvalidArgument, "`rate`");
    let status = scene::pliant_scene_set_frame_rate(null, 60.0);
    assert_refused(status, InvalidHandle, "the scene is null");
    let status = scene::pliant_scene_set(null, text(c"duration"), text(c"1.0"));
    assert_refused(status, InvalidHandle, "the scene is null");
    let status = scene::pliant_scene_set(wrong, no_text(), text(c"1.0"));
    assert_refused(status, NullPointer, "`key`");
    let status = scene::pliant_scene_set(wrong, text(c"duration"), no_text());
    assert_refused(status, NullPointer, "`value`");
    let status = scene::pliant_scene_set(wrong, text(c"duration"), text(c"long"));
    assert_refused(status, InvalidArgument, "`long` is no value for `duration`");
    assert_ok(scene::pliant_scene_set_frame_rate(wrong, 0.0));
    assert_refused(build(wrong), BuildFailed, "frame_rate");
    let wrong = room();
    let key = text(c"gravit");
    assert_ok(scene::pliant_scene_set(wrong, key, text(c"[0, 0, 0]")));
    assert_refused(build(wrong), BuildFailed, "did you mean `gravity`?");
    assert_eq!(last_code(), "UnknownKey");
}

#[test]
fn what_is_baked_is_kept_in_a_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_str().expect("a name in Unicode");
    let path = std::ffi::CString::new(path).expect("no NUL");
    let world = || {
        let room = room();
        assert_ok(scene::pliant_scene_set_cache(room, text(&path)));
        build_world(room, PliantMethod::Quasistatic)
    };
    let first = world();
    let files = || {
        let mut open = vec![folder.path().to_path_buf()];
        let mut found = Vec::new();
        while let Some(folder) = open.pop() {
            for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
                let data = entry.metadata().expect("it is there");
                let path = entry.path();
                if data.is_dir() {
                    open.push(path);
                } else if path.extension().is_some_and(|e| e == "asset") {
                    // a file that is written again is another one; one that is used gets another time of change
                    found.push((path, data.len(), data.created().ok()));
                }
            }
        }
        found.sort();
        found
    };
    let baked = files();
    assert!(baked.iter().any(|file| file.1 > 1000), "{baked:?}");
    let second = world();
    assert_eq!(baked, files(), "nothing is baked and written again");
    assert_eq!(positions(first), positions(second));

    let room = room();
    let status = scene::pliant_scene_set_cache(room, no_text());
    assert_refused(status, PliantStatus::NullPointer, "`folder`");
    let status = scene::pliant_scene_set_cache(PliantScene::NULL, text(&path));
    assert_refused(status, PliantStatus::InvalidHandle, "the scene is null");
}

#[test]
fn a_blade_cuts_what_its_edge_sweeps() {
    use PliantStatus::{BuildFailed, InvalidArgument, NullPointer};
    let mut blade = PliantTool::NULL;
    let above = || fixed(&[0.003, 0.1, 0.003]);
    assert_ok(tool::pliant_tool_blade(
        text(c"knife"),
        0.4,
        0.1,
        0.002,
        above(),
        out(&mut blade),
    ));
    let (times, path) = ([[0.0], [0.1]], [[0.003, 0.1, 0.003], [0.003, 0.0, 0.003]]);
    let (times, path) = (rows(&times), rows(&path));
    let status = tool::pliant_tool_set_path(blade, times, path, no_rows(), 2, 0);
    assert_ok(status);
    let scene = one_body(pad());
    assert_ok(scene::pliant_scene_add_tool(scene, blade));
    let world = build_world(scene, PliantMethod::Lattice);
    for _ in 0..10 {
        assert_ok(stepping::pliant_world_step(world));
    }
    let mut drawn = 0;
    let asked = surface::pliant_world_drawn_positions(world, no_out_rows(), 0, out(&mut drawn));
    assert_ok(asked);
    let whole = positions(world).len();
    assert!(
        drawn > whole,
        "{drawn} vertices are drawn, the skin has {whole}"
    );

    let mut object = PliantTool { id: 7 };
    let sizes = [
        [f64::NAN, 0.1, 0.01],
        [0.1, f64::NAN, 0.01],
        [0.1, 0.1, f64::NAN],
    ];
    for ([a, b, c], name) in sizes
        .into_iter()
        .zip(["`length`", "`height`", "`thickness`"])
    {
        let status = tool::pliant_tool_blade(text(c"knife"), a, b, c, above(), out(&mut object));
        assert_refused(status, InvalidArgument, name);
        assert_eq!(object, PliantTool::NULL);
    }
    let status = tool::pliant_tool_blade(no_text(), 0.1, 0.1, 0.01, above(), out(&mut object));
    assert_refused(status, NullPointer, "`name`");
    let status = tool::pliant_tool_blade(text(c"knife"), 0.1, 0.1, 0.01, above(), no_out());
    assert_refused(status, NullPointer, "`tool`");
    let status =
        tool::pliant_tool_blade(text(c"knife"), -0.1, 0.1, 0.01, above(), out(&mut object));
    assert_ok(status);
    let scene = one_body(pad());
    assert_ok(scene::pliant_scene_add_tool(scene, object));
    assert_refused(build(scene), BuildFailed, "length");
}

#[test]
fn normals_are_as_many_as_vertices_and_point_outwards() {
    use PliantStatus::{BufferTooSmall, InvalidHandle, NullPointer};
    let world = build_world(one_body(pad()), PliantMethod::Lattice);
    let all = positions(world);
    let mut count = 0;
    let asked = surface::pliant_world_normals(world, no_out_rows(), 0, out(&mut count));
    assert_ok(asked);
    assert_eq!(count, all.len());
    let mut normals = vec![[0.0_f32; 3]; count];
    let place = out_rows(&mut normals);
    assert_ok(surface::pliant_world_normals(world, place, count, no_out()));
    for (normal, x) in normals.iter().zip(&all) {
        let length: f32 = normal.iter().map(|x| x * x).sum();
        assert!((length - 1.0).abs() < 1e-5, "{normal:?}");
        // the pad is a box around the origin
        let outwards: f32 = normal.iter().zip(x).map(|(n, x)| n * x).sum();
        assert!(outwards > 0.0, "{normal:?} at {x:?}");
    }
    let mut few = [[7.0_f32; 3]; 2];
    let status = surface::pliant_world_normals(world, out_rows(&mut few), 2, no_out());
    assert_refused(status, BufferTooSmall, "place for 2");
    assert_eq!(few, [[7.0; 3]; 2]);
    let status = surface::pliant_world_normals(world, no_out_rows(), 0, no_out());
    assert_refused(status, NullPointer, "`count`");
    let null = PliantWorld::NULL;
    let status = surface::pliant_world_normals(null, no_out_rows(), 0, out(&mut count));
    assert_refused(status, InvalidHandle, "the world is null");
}
