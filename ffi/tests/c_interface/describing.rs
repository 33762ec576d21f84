//! What describes a body, a tool and a scene: it takes effect, and what is wrong is named.

use pliant_ffi::border::{body, scene, stepping, support, surface, tool};
use pliant_ffi::{
    PliantBody, PliantMethod, PliantName, PliantScene, PliantStatus, PliantTool, PliantWorld,
};

use crate::calls::{
    assert_ok, assert_refused, build_in_vain, build_world, displacement, drawn_count, fixed,
    free_pad, last_code, name, nearest_vertex, no_out, no_out_rows, no_rows, no_text, out,
    out_rows, output_of, pad, positions, room, rows, rows_of, scene_of, set, step, text,
};

/// How far the vertex that is nearest to a place has moved, m.
fn moved(world: PliantWorld, place: [f64; 3]) -> f64 {
    let by = displacement(world, nearest_vertex(world, place));
    by.iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[test]
fn a_body_is_held_in_a_ball_and_by_the_numbers_of_vertices() {
    let (left, right) = ([-0.1, 0.0, 0.0], [0.1, 0.0, 0.0]);
    let still = build_world(scene_of(c"still", pad()), PliantMethod::Lattice);
    let corners = [[-0.1, -0.05, -0.1], [-0.1, -0.05, 0.1], [-0.1, 0.05, -0.1]];
    let corners = corners.map(|place| [nearest_vertex(still, place)]);
    for by_number in [false, true] {
        let object = free_pad();
        let status = match by_number {
            true => support::pliant_body_hold_vertices(object, text(c"left"), rows(&corners), 3),
            false => support::pliant_body_hold_sphere(object, text(c"left"), fixed(&left), 0.12),
        };
        assert_ok(status);
        let world = build_world(scene_of(c"held", object), PliantMethod::Lattice);
        step(world, 10);
        let held = match by_number {
            true => [-0.1, -0.05, -0.1],
            false => left,
        };
        let (there, here) = (moved(world, right), moved(world, held));
        assert!(there > 1e-3, "it hangs: {there} m");
        assert!(here < 0.05 * there, "it is held: {here} m of {there} m");
        let support = name(world, PliantName::Support, 0);
        assert_eq!(support.as_deref(), Some("left"));
    }
}

#[test]
fn supports_that_are_none_are_refused() {
    use PliantStatus::{BuildFailed, InvalidArgument, InvalidHandle, NullPointer};
    let (wrong, middle) = (free_pad(), || fixed(&[0.0; 3]));
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
    let status = build_in_vain(scene_of(c"wrong", wrong));
    assert_refused(status, BuildFailed, "list vertices from 0 to ");
}

#[test]
fn a_body_of_our_own_has_the_length_that_is_asked_for() {
    use PliantStatus::{BuildFailed, InvalidArgument, InvalidHandle, NullPointer};
    let torus = output_of(|torus| body::pliant_body_procedural(text(c"torus"), torus));
    set(torus, c"mesh.edge", c"0.015");
    set(torus, c"lattice.cell", c"0.03");
    assert_ok(body::pliant_body_set_longest(torus, 0.25));
    let world = build_world(scene_of(c"ring", torus), PliantMethod::Lattice);
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
    let unknown = output_of(|unknown| body::pliant_body_procedural(text(c"tores"), unknown));
    let status = body::pliant_body_set_longest(unknown, f64::INFINITY);
    assert_refused(status, InvalidArgument, "`length`");
    let status = body::pliant_body_set_longest(PliantBody::NULL, 0.1);
    assert_refused(status, InvalidHandle, "the body is null");
    let status = build_in_vain(scene_of(c"unknown", unknown));
    assert_refused(status, BuildFailed, "tores");
    let short = pad();
    assert_ok(body::pliant_body_set_longest(short, -1.0));
    let status = build_in_vain(scene_of(c"short", short));
    assert_refused(status, BuildFailed, "longest");
}

#[test]
fn keys_and_frame_rate_of_a_scene_take_effect() {
    use PliantStatus::{BuildFailed, InvalidArgument, InvalidHandle, NullPointer};
    let duration = |scene| {
        let world = build_world(scene, PliantMethod::Lattice);
        output_of(|seconds| stepping::pliant_world_frame_duration(world, seconds))
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
    assert_refused(build_in_vain(wrong), BuildFailed, "frame_rate");
    let wrong = room();
    let key = text(c"gravit");
    assert_ok(scene::pliant_scene_set(wrong, key, text(c"[0, 0, 0]")));
    assert_refused(build_in_vain(wrong), BuildFailed, "did you mean `gravity`?");
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
    let above = || fixed(&[0.003, 0.1, 0.003]);
    let blade =
        output_of(|blade| tool::pliant_tool_blade(text(c"knife"), 0.4, 0.1, 0.002, above(), blade));
    let (times, path) = ([[0.0], [0.1]], [[0.003, 0.1, 0.003], [0.003, 0.0, 0.003]]);
    let (times, path) = (rows(&times), rows(&path));
    let status = tool::pliant_tool_set_path(blade, times, path, no_rows(), 2, 0);
    assert_ok(status);
    let scene = scene_of(c"cut", pad());
    assert_ok(scene::pliant_scene_add_tool(scene, blade));
    let world = build_world(scene, PliantMethod::Lattice);
    step(world, 10);
    let (drawn, whole) = (drawn_count(world), positions(world).len());
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
    let blade =
        output_of(|blade| tool::pliant_tool_blade(text(c"knife"), -0.1, 0.1, 0.01, above(), blade));
    let scene = scene_of(c"wrong", pad());
    assert_ok(scene::pliant_scene_add_tool(scene, blade));
    assert_refused(build_in_vain(scene), BuildFailed, "length");
}

#[test]
fn normals_are_as_many_as_vertices_and_point_outwards() {
    use PliantStatus::{BufferTooSmall, InvalidHandle, NullPointer};
    let world = build_world(scene_of(c"pad", pad()), PliantMethod::Lattice);
    let all = positions(world);
    let normals = rows_of(|rows, capacity, count| {
        surface::pliant_world_normals(world, rows, capacity, count)
    });
    assert_eq!(normals.len(), all.len());
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
    let status = surface::pliant_world_normals(null, no_out_rows(), 0, out(&mut 0));
    assert_refused(status, InvalidHandle, "the world is null");
}
