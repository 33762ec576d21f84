//! Bodies of all kinds, whole scenes, tools, and what can be read of them.

use std::ffi::CString;

use pliant_ffi::border::memory::{Choice, UserData};
use pliant_ffi::border::{body, building, reading, scene, stepping, support, surface, touching};
use pliant_ffi::{PliantMethod, PliantName, PliantScene, PliantStatus};

use crate::calls::{
    assert_ok, assert_refused, build_world, drawn_count, fixed, name, no_out, no_out_rows, out,
    out_rows, output_of, positions, room, rows, rows_of, scene_of, set, step, text,
};

/// A cube of 0.1 m in five tetrahedra.
const NODES: [[f64; 3]; 8] = [
    [0.0, 0.0, 0.0],
    [0.1, 0.0, 0.0],
    [0.1, 0.1, 0.0],
    [0.0, 0.1, 0.0],
    [0.0, 0.0, 0.1],
    [0.1, 0.0, 0.1],
    [0.1, 0.1, 0.1],
    [0.0, 0.1, 0.1],
];
const TETS: [[u32; 4]; 5] = [
    [0, 1, 3, 4],
    [1, 2, 3, 6],
    [1, 5, 6, 4],
    [3, 6, 7, 4],
    [1, 3, 4, 6],
];

#[test]
fn tetrahedra_and_double_triangles_make_bodies() {
    let (nodes, tets) = (rows(&NODES), rows(&TETS));
    let cube =
        output_of(|cube| body::pliant_body_from_tetrahedra(text(c"cube"), nodes, 8, tets, 5, cube));
    let (point, normal) = (fixed(&[0.0; 3]), fixed(&[0.0, -1.0, 0.0]));
    let status = support::pliant_body_hold_half_space(cube, text(c"ground"), point, normal);
    assert_ok(status);
    set(cube, c"lattice.cell", c"0.025");
    let world = build_world(scene_of(c"cube", cube), PliantMethod::Lattice);
    let triangles = rows_of(|rows, capacity, count| {
        surface::pliant_world_triangles(world, rows, capacity, count)
    });
    // the twelve triangles of the boundary, cut finer
    assert_eq!(triangles.len() % 12, 0, "{} triangles", triangles.len());
    let support = |index| name(world, PliantName::Support, index);
    assert_eq!(support(0).as_deref(), Some("ground"));
    assert_eq!(support(1), None);

    let double = positions(world).into_iter().map(|x| x.map(f64::from));
    let double: Vec<[f64; 3]> = double.collect();
    let again = output_of(|again| {
        let (points, faces) = (rows(&double), rows(&triangles));
        let (vertices, count) = (double.len(), triangles.len());
        body::pliant_body_from_triangles_f64(text(c"again"), points, vertices, faces, count, again)
    });
    let (min, max) = (fixed(&[-1.0; 3]), fixed(&[1.0, 1e-6, 1.0]));
    assert_ok(support::pliant_body_hold_box(again, text(c"low"), min, max));
    set(again, c"lattice.cell", c"0.025");
    let world = build_world(scene_of(c"again", again), PliantMethod::Lattice);
    step(world, 1);
}

#[test]
fn a_whole_scene_runs_by_name_and_by_text() {
    let toml = cr#"
        schema = 1
        name = "text"
        [[body]]
        name = "pad"
        mesh = { procedural = "box", size = [0.2, 0.1, 0.2], edge = 0.04 }
        lattice = { cell = 0.04 }
        [[body.support]]
        name = "foot"
        select = { lowest = 0.01 }
        [[tool]]
        name = "ball"
        shape = { sphere = { radius = 0.08 } }
        motion = { script = "$POKE" }
        [[probe]]
        name = "top"
        at = { nearest_surface_point = [0.0, 0.05, 0.0] }
        quantity = "displacement"
    "#;
    let parsed = output_of(|scene| scene::pliant_scene_parse(text(toml), scene));
    let world = build_world(parsed, PliantMethod::Lattice);
    step(world, 60);
    let value = output_of(|value| reading::pliant_world_probe(world, text(c"top"), value));
    assert!(
        value[1] < 0.0,
        "gravity and poke press it down: {value:?} m"
    );
    assert_eq!(name(world, PliantName::Tool, 0).as_deref(), Some("ball"));
    assert_eq!(name(world, PliantName::Probe, 0).as_deref(), Some("top"));

    let mut loaded = output_of(|scene| scene::pliant_scene_load(text(c"poke"), scene));
    assert_ok(scene::pliant_scene_free(loaded));
    let status = scene::pliant_scene_load(text(c"pock"), out(&mut loaded));
    assert_refused(status, PliantStatus::BuildFailed, "pock");
    assert_eq!(loaded, PliantScene::NULL);
}

#[test]
fn a_hand_of_a_text_closes_sticks_and_follows_the_tool_that_carries_it() {
    let toml = cr#"
        schema = 1
        name = "hand"
        gravity = [0.0, 0.0, 0.0]
        [[body]]
        name = "pad"
        mesh = { procedural = "box", size = [0.2, 0.1, 0.2], edge = 0.04 }
        support = [ { name = "foot", select = { lowest = 0.01 } } ]
        lattice = { cell = 0.04 }
        [[tool]]
        name = "palm"
        shape = { sphere = { radius = 0.08 } }
        motion = { path = "wait" }
        [[tool]]
        name = "finger"
        shape = { sphere = { radius = 0.08 } }
        contact = { kind = "bonded", f_max = 1e3 }
        motion = { carried_by = "palm", at = [0.0, -0.26, 0.0], path = "close" }
        [[path]]
        name = "wait"
        keys = [ { t = 0.0, at = [0.0, 0.4, 0.0] } ]
        [[path]]
        name = "close"
        keys = [ { t = 0.0, at = [0.0, 0.0, 0.0] }, { t = 0.3, at = [0.0, -0.02, 0.0] } ]
    "#;
    let parsed = output_of(|scene| scene::pliant_scene_parse(text(toml), scene));
    let world = build_world(parsed, PliantMethod::Lattice);
    let finger_at = |expected: [f64; 3]| {
        let at =
            output_of(|at| touching::pliant_world_tool_pose(world, text(c"finger"), at, no_out()));
        let mut pairs = at.iter().zip(&expected);
        assert!(pairs.all(|(x, y)| (x - y).abs() < 1e-12), "{at:?} m");
    };
    let forces = || {
        [c"palm", c"finger"].map(|tool| {
            output_of(|force| touching::pliant_world_tool_force(world, text(tool), force))[1]
        })
    };
    let of_hand = || {
        output_of(|force| {
            touching::pliant_world_wrench_with_carried(world, text(c"palm"), force, no_out())
        })[1]
    };
    step(world, 20);
    finger_at([0.0, 0.12, 0.0]);
    assert!(forces()[1] > 0.1, "it is pushed up: {:?} N", forces());
    // the program moves the palm by 1 mm a frame, and the finger goes along
    for frame in 1..=12 {
        let at = [0.0, 0.4 + 1e-3 * f64::from(frame), 0.0];
        let status = touching::pliant_world_move_tool(world, text(c"palm"), fixed(&at));
        assert_ok(status);
        step(world, 1);
    }
    step(world, 30);
    finger_at([0.0, 0.132, 0.0]);
    let [palm, finger] = forces();
    assert!(finger < -0.1, "the skin holds it down: {finger} N");
    assert_eq!(of_hand(), palm + finger);
}

#[test]
fn parameters_and_quantities_go_by_name() {
    let world = build_world(room(), PliantMethod::Lattice);
    let parameter = name(world, PliantName::Parameter, 0).expect("a parameter");
    assert!(!parameter.is_empty());
    let damp =
        |value| reading::pliant_world_set_parameter(world, text(c"damping_ratio"), text(value));
    assert_ok(damp(c"0.2"));
    let status = damp(c"\"much\"");
    assert_refused(status, PliantStatus::InvalidArgument, "damping_ratio");
    let quantity = name(world, PliantName::Quantity, 0).expect("a quantity");
    let quantity = CString::new(quantity).expect("no NUL");
    let count = output_of(|count| {
        reading::pliant_world_quantity(world, text(&quantity), no_out_rows(), 0, count)
    });
    let mut values = vec![[f32::NAN]; count];
    let (name, place) = (text(&quantity), out_rows(&mut values));
    let status = reading::pliant_world_quantity(world, name, place, count, no_out());
    assert_ok(status);
    assert!(count > 0 && values.iter().all(|v| v[0].is_finite()));
}

#[test]
fn methods_of_a_prepared_scene_share_their_skin() {
    let room = room();
    let none = UserData::default();
    let prepared = output_of(|prepared| building::pliant_scene_prepare(room, None, none, prepared));
    assert_ok(scene::pliant_scene_free(room));
    let counts = [PliantMethod::Lattice, PliantMethod::Quasistatic].map(|method| {
        let method = Choice::from(method);
        let world =
            output_of(|world| building::pliant_prepared_build(prepared, method, None, none, world));
        let count = drawn_count(world);
        let normals = rows_of(|rows, capacity, count| {
            surface::pliant_world_drawn_normals(world, rows, capacity, count)
        });
        assert_eq!(normals.len(), count);
        let length = normals[0].iter().map(|x| x * x).sum::<f32>();
        assert!((length - 1.0).abs() < 1e-3, "{length}");
        assert_ok(stepping::pliant_world_free(world));
        count
    });
    assert_eq!(counts[0], counts[1]);
    assert_ok(building::pliant_prepared_free(prepared));
}

#[test]
fn a_body_that_is_cut_shows_its_pieces() {
    let cut = output_of(|scene| scene::pliant_scene_load(text(c"cut"), scene));
    let world = build_world(cut, PliantMethod::Lattice);
    step(world, 180);
    let (drawn, whole) = (drawn_count(world), positions(world).len());
    assert!(
        drawn > whole,
        "{drawn} vertices are drawn, {whole} are those of the skin"
    );
    let faces = rows_of(|rows, capacity, count| {
        surface::pliant_world_drawn_triangles(world, rows, capacity, count)
    });
    assert!(faces.as_flattened().iter().all(|&v| (v as usize) < drawn));
}
