//! Grabs with a displacement for each vertex: the same bits as with a common one, targets that are reached, error texts.

use pliant::{Body, Method, Scene, Vec3, World};

/// A pad of 20 x 10 x 20 cm that stands on its foot.
fn built(method: Method) -> World {
    let pad = Body::cuboid([0.2, 0.1, 0.2], 0.04)
        .hold_lowest(0.01)
        .set("adaptive.target_edges", vec![0.08, 0.04]);
    let scene = Scene::new("pad").body(pad).gravity([0.0; 3]);
    scene.build(method).expect("built")
}

/// Vertices in the middle of its top.
fn patch(world: &World) -> Vec<u32> {
    let positions = &world.skin().positions;
    let is_inside = |v: &u32| {
        let x = positions[*v as usize];
        x.y > 0.049 && x.x.abs().max(x.z.abs()) < 0.07
    };
    (0..positions.len() as u32).filter(is_inside).collect()
}

/// Displacements by a linear field of a few millimetres, m: a stretch, a shear and a tilt.
fn linear_field(world: &World, vertices: &[u32]) -> Vec<Vec3> {
    let at = |v: &u32| {
        let x = world.skin().positions[*v as usize];
        Vec3::new(
            0.05 * x.x + 0.02 * x.z,
            0.03 * x.x - 0.01 * x.z,
            -0.04 * x.z,
        )
    };
    vertices.iter().map(at).collect()
}

fn bits(world: &World) -> Vec<[u32; 3]> {
    let bits = |x: &[f32; 3]| x.map(f32::to_bits);
    world.positions().iter().map(bits).collect()
}

/// Compares displacements to a hundredth of a millimetre.
#[track_caller]
fn assert_displaced(world: &World, vertices: &[u32], expected: &[Vec3]) {
    for (&vertex, expected) in vertices.iter().zip(expected) {
        let moved = world.displacement(vertex).expect("a vertex");
        assert!(
            (moved - expected).norm() < 1e-5,
            "vertex {vertex}: {moved:?}, expected {expected:?}"
        );
    }
}

#[test]
fn equal_displacements_give_the_bits_of_a_common_one() {
    for method in Method::ALL {
        let pull = |has_own: fn(u32) -> bool| {
            let mut world = built(method);
            let held = patch(&world);
            assert!(held.len() > 8, "{}", held.len());
            // it is deformed when the grab starts
            for _ in 0..6 {
                world.push(held[0], [0.0, -0.5, 0.0]).expect("a vertex");
                world.step().expect("a frame");
            }
            for frame in 0..20 {
                let displacement = Vec3::new(2e-4, 1e-4, -1e-4) * f64::from(frame);
                let grabbed = match has_own(frame) {
                    true => world.grab_each(&held, &vec![displacement; held.len()]),
                    false => world.grab(&held, displacement),
                };
                grabbed.expect("vertices");
                world.step().expect("a frame");
            }
            (bits(&world), world.grab_force())
        };
        let common = pull(|_| false);
        assert!(common.1.x > 0.0, "{method:?}: {:?}", common.1);
        assert!(common == pull(|_| true), "{method:?}: own ones");
        let in_turn = pull(|frame| frame % 8 < 4);
        assert!(common == in_turn, "{method:?}: in turn");
    }
}

#[test]
fn a_linear_field_brings_each_vertex_to_its_place() {
    let mut world = built(Method::Quasistatic);
    let mut held = patch(&world);
    // the order is that of the caller
    held.reverse();
    let field = linear_field(&world, &held);
    let is_far = |d: &Vec3| (d - field[0]).norm() > 3e-3;
    assert!(held.len() > 8 && field.iter().any(is_far), "{field:?}");
    // the first frame only starts the grab
    for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let part: Vec<Vec3> = field.iter().map(|d| d * share).collect();
        world.grab_each(&held, &part).expect("vertices");
        world.step().expect("a frame");
        assert_displaced(&world, &held, &part);
    }
    // a common displacement of the same vertices takes over
    let common = Vec3::new(0.0, 2e-3, 0.0);
    world.grab(&held, common).expect("vertices");
    world.step().expect("a frame");
    assert_displaced(&world, &held, &vec![common; held.len()]);
}

#[test]
fn a_restored_snapshot_keeps_own_displacements() {
    let mut world = built(Method::Lattice);
    let held = patch(&world);
    let field = linear_field(&world, &held);
    world.grab_each(&held, &field).expect("vertices");
    let snapshot = world.snapshot();
    let mut continued = |releases: bool| {
        world.restore(&snapshot).expect("its own");
        if releases {
            world.release();
        }
        for _ in 0..4 {
            world.step().expect("a frame");
        }
        bits(&world)
    };
    let once = continued(false);
    assert!(once != continued(true), "the hand moves the body");
    assert!(once == continued(false));
}

#[test]
fn what_cannot_be_imposed_is_named_and_what_is_held_stays() {
    let mut world = built(Method::Quasistatic);
    let held = patch(&world);
    let field = linear_field(&world, &held);
    world.grab_each(&held, &field).expect("vertices");
    world.step().expect("a frame");
    let (up, aside) = (Vec3::y() * 1e-3, Vec3::x() * 1e-3);
    let cases = [
        (
            vec![0_u32, 1, 2],
            vec![up, aside],
            "DisplacementCount",
            "2 displacements for 3 vertices",
        ),
        (
            vec![0, 1_000_000],
            vec![up, aside],
            "NoSuchVertex",
            "no vertex 1000000",
        ),
        (
            vec![5, 7],
            vec![up, Vec3::repeat(f64::NAN)],
            "NotFinite",
            "the displacement of vertex 7",
        ),
        (
            vec![5, 7],
            vec![up, Vec3::x() * f64::INFINITY],
            "NotFinite",
            "the displacement of vertex 7",
        ),
        (
            vec![7, 5, 7],
            vec![up, up, aside],
            "VertexTwice",
            "vertex 7 has two",
        ),
        (
            vec![7, 7, 5, 7],
            vec![up, aside, up, up],
            "VertexTwice",
            "vertex 7 has two",
        ),
    ];
    for (vertices, displacements, code, words) in cases {
        let refused = world.grab_each(&vertices, &displacements);
        let error = refused.expect_err(words);
        assert_eq!(error.code(), code, "{error}");
        assert!(error.to_string().contains(words), "{code}: {error}");
    }
    world.step().expect("a frame");
    assert_displaced(&world, &held, &field);
    // a vertex that is named twice with the same displacement is no contradiction, as in `grab`
    world
        .grab_each(&[held[1], held[0], held[1]], &[up, aside, up])
        .expect("no contradiction");
}
