//! Bodies of all kinds, whole scenes, tools, and what can be read of them.

use std::ffi::CString;

use pliant_ffi::border::memory::{Choice, OutRows, UserData};
use pliant_ffi::border::{body, building, reading, scene, stepping, support, surface};
use pliant_ffi::{
    PliantBody, PliantMethod, PliantName, PliantPrepared, PliantScene, PliantStatus, PliantWorld,
};

use crate::calls::{
    assert_ok, assert_refused, build_world, fixed, no_out, no_out_rows, one_body, out, out_rows,
    room, rows, text,
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

fn name(world: PliantWorld, kind: PliantName, index: usize) -> Option<String> {
    let mut bytes = [[0; 1]; 64];
    let mut count = 0;
    let place = out_rows(&mut bytes);
    match reading::pliant_world_name(world, Choice::from(kind), index, place, 64, out(&mut count)) {
        PliantStatus::Ok => {
            let bytes: Vec<u8> = bytes[..count].iter().map(|b| b[0] as u8).collect();
            Some(
                CString::from_vec_with_nul(bytes)
                    .expect("NUL")
                    .into_string()
                    .expect("UTF-8"),
            )
        }
        _ => None,
    }
}

#[test]
fn tetrahedra_and_double_triangles_make_bodies() {
    let mut cube = PliantBody::NULL;
    let status = body::pliant_body_from_tetrahedra(
        text(c"cube"),
        rows(&NODES),
        NODES.len(),
        rows(&TETS),
        TETS.len(),
        out(&mut cube),
    );
    assert_ok(status);
    assert_ok(support::pliant_body_hold_half_space(
        cube,
        text(c"ground"),
        fixed(&[0.0; 3]),
        fixed(&[0.0, -1.0, 0.0]),
    ));
    assert_ok(body::pliant_body_set(
        cube,
        text(c"lattice.cell"),
        text(c"0.025"),
    ));
    let world = build_world(one_body(cube), PliantMethod::Lattice);
    let mut count = 0;
    assert_ok(surface::pliant_world_triangles(
        world,
        no_out_rows(),
        0,
        out(&mut count),
    ));
    // the twelve triangles of the boundary, cut finer
    assert_eq!(count % 12, 0, "{count} triangles");
    assert_eq!(
        name(world, PliantName::Support, 0).as_deref(),
        Some("ground")
    );
    assert_eq!(name(world, PliantName::Support, 1), None);

    let (positions, triangles) = surface_of(world);
    let mut again = PliantBody::NULL;
    let status = body::pliant_body_from_triangles_f64(
        text(c"again"),
        rows(&positions),
        positions.len(),
        rows(&triangles),
        triangles.len(),
        out(&mut again),
    );
    assert_ok(status);
    assert_ok(support::pliant_body_hold_box(
        again,
        text(c"low"),
        fixed(&[-1.0; 3]),
        fixed(&[1.0, 1e-6, 1.0]),
    ));
    assert_ok(body::pliant_body_set(
        again,
        text(c"lattice.cell"),
        text(c"0.025"),
    ));
    let world = build_world(one_body(again), PliantMethod::Lattice);
    assert_ok(stepping::pliant_world_step(world));
}

fn surface_of(world: PliantWorld) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let (mut vertices, mut faces) = (0, 0);
    assert_ok(surface::pliant_world_positions(
        world,
        no_out_rows(),
        0,
        out(&mut vertices),
    ));
    assert_ok(surface::pliant_world_triangles(
        world,
        no_out_rows(),
        0,
        out(&mut faces),
    ));
    let (mut positions, mut triangles) = (vec![[0.0_f32; 3]; vertices], vec![[0; 3]; faces]);
    let (place, other) = (out_rows(&mut positions), out_rows(&mut triangles));
    assert_ok(surface::pliant_world_positions(
        world,
        place,
        vertices,
        no_out(),
    ));
    assert_ok(surface::pliant_world_triangles(
        world,
        other,
        faces,
        no_out(),
    ));
    (
        positions.iter().map(|x| x.map(f64::from)).collect(),
        triangles,
    )
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
    let mut parsed = PliantScene::NULL;
    assert_ok(scene::pliant_scene_parse(text(toml), out(&mut parsed)));
    let world = build_world(parsed, PliantMethod::Lattice);
    for _ in 0..60 {
        assert_ok(stepping::pliant_world_step(world));
    }
    let mut value = [0.0; 3];
    assert_ok(reading::pliant_world_probe(
        world,
        text(c"top"),
        out(&mut value),
    ));
    assert!(
        value[1] < 0.0,
        "gravity and poke press it down: {value:?} m"
    );
    assert_eq!(name(world, PliantName::Tool, 0).as_deref(), Some("ball"));
    assert_eq!(name(world, PliantName::Probe, 0).as_deref(), Some("top"));

    let mut loaded = PliantScene::NULL;
    assert_ok(scene::pliant_scene_load(text(c"poke"), out(&mut loaded)));
    assert_ok(scene::pliant_scene_free(loaded));
    let status = scene::pliant_scene_load(text(c"pock"), out(&mut loaded));
    assert_refused(status, PliantStatus::BuildFailed, "pock");
    assert_eq!(loaded, PliantScene::NULL);
}

#[test]
fn parameters_and_quantities_go_by_name() {
    let world = build_world(room(), PliantMethod::Lattice);
    let parameter = name(world, PliantName::Parameter, 0).expect("a parameter");
    assert!(!parameter.is_empty());
    assert_ok(reading::pliant_world_set_parameter(
        world,
        text(c"damping_ratio"),
        text(c"0.2"),
    ));
    let status =
        reading::pliant_world_set_parameter(world, text(c"damping_ratio"), text(c"\"much\""));
    assert_refused(status, PliantStatus::InvalidArgument, "damping_ratio");
    let quantity = name(world, PliantName::Quantity, 0).expect("a quantity");
    let quantity = CString::new(quantity).expect("no NUL");
    let mut count = 0;
    assert_ok(reading::pliant_world_quantity(
        world,
        text(&quantity),
        no_out_rows(),
        0,
        out(&mut count),
    ));
    let mut values = vec![[f32::NAN]; count];
    let place: OutRows<f32, 1> = out_rows(&mut values);
    assert_ok(reading::pliant_world_quantity(
        world,
        text(&quantity),
        place,
        count,
        no_out(),
    ));
    assert!(count > 0 && values.iter().all(|v| v[0].is_finite()));
}

#[test]
fn methods_of_a_prepared_scene_share_their_skin() {
    let room = room();
    let mut prepared = PliantPrepared { id: 0 };
    let none = UserData::default();
    assert_ok(building::pliant_scene_prepare(
        room,
        None,
        none,
        out(&mut prepared),
    ));
    assert_ok(scene::pliant_scene_free(room));
    let mut counts = [0; 2];
    for (method, count) in [PliantMethod::Lattice, PliantMethod::Quasistatic]
        .into_iter()
        .zip(&mut counts)
    {
        let mut world = PliantWorld::NULL;
        assert_ok(building::pliant_prepared_build(
            prepared,
            Choice::from(method),
            None,
            none,
            out(&mut world),
        ));
        assert_ok(surface::pliant_world_drawn_positions(
            world,
            no_out_rows(),
            0,
            out(count),
        ));
        let mut normals = vec![[0.0; 3]; *count];
        assert_ok(surface::pliant_world_drawn_normals(
            world,
            out_rows(&mut normals),
            *count,
            no_out(),
        ));
        let length = normals[0].iter().map(|x| x * x).sum::<f32>();
        assert!((length - 1.0).abs() < 1e-3, "{length}");
        assert_ok(stepping::pliant_world_free(world));
    }
    assert_eq!(counts[0], counts[1]);
    assert_ok(building::pliant_prepared_free(prepared));
}

#[test]
fn a_body_that_is_cut_shows_its_pieces() {
    let mut cut = PliantScene::NULL;
    assert_ok(scene::pliant_scene_load(text(c"cut"), out(&mut cut)));
    let world = build_world(cut, PliantMethod::Lattice);
    let (mut whole, mut drawn, mut triangles) = (0, 0, 0);
    assert_ok(surface::pliant_world_positions(
        world,
        no_out_rows(),
        0,
        out(&mut whole),
    ));
    for _ in 0..180 {
        assert_ok(stepping::pliant_world_step(world));
    }
    assert_ok(surface::pliant_world_drawn_positions(
        world,
        no_out_rows(),
        0,
        out(&mut drawn),
    ));
    assert_ok(surface::pliant_world_drawn_triangles(
        world,
        no_out_rows(),
        0,
        out(&mut triangles),
    ));
    assert!(
        drawn > whole,
        "{drawn} vertices are drawn, {whole} are those of the skin"
    );
    let mut faces = vec![[0_u32; 3]; triangles];
    assert_ok(surface::pliant_world_drawn_triangles(
        world,
        out_rows(&mut faces),
        triangles,
        no_out(),
    ));
    assert!(faces.as_flattened().iter().all(|&v| (v as usize) < drawn));
}
