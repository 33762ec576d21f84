//! Free bodies that fall: they never bounce higher than before, because contact adds no energy whatever the speed, and a heap of them comes to rest. Bodies are inside each other
//! neither at the start nor in a heap.

use pliant_core::scene::Method;
use pliant_simulation::scenes::BUNDLED;
use pliant_simulation::world::World;
use pliant_tests::{bundled, scene, setup, step, world};

/// A torus 0.5 m above a floor: it meets the floor with 3 m/s, 5 cm a frame.
const TORUS: &str = r#"
    schema = 1
    name = "fall"
    gravity = [0.0, -9.81, 0.0]
    [[body]]
    name = "ring"
    mesh = { procedural = "torus", longest = 0.2 }
    material = { young = 1.0e5, poisson = 0.3, density = 1000.0, zeta = 0.05 }
    adaptive = { nodes = [60, 250], budget_ms = 1000.0 }
    lattice = { cells_longest = 16 }
    [[tool]]
    name = "floor"
    shape = { half_space = { point = [0.0, -0.6, 0.0], normal = [0.0, 1.0, 0.0] } }
    contact = { kind = "coulomb", mu_s = 0.4, mu_k = 0.4 }
    motion = "fixed"
"#;

#[test]
fn each_bounce_is_lower_than_the_one_before() {
    for method in [Method::Adaptive, Method::Lattice] {
        let setup = setup(&scene(TORUS));
        let mut world = world(&setup, method);
        let mut previous_height = height(&world);
        let mut heights = vec![previous_height];
        let mut was_rising = false;
        for _ in 0..setup.frames(3.0) {
            step(&mut world);
            let height = height(&world);
            if was_rising && height < previous_height {
                heights.push(previous_height);
            }
            was_rising = height > previous_height;
            previous_height = height;
        }
        assert!(heights.len() > 2, "it bounced: {heights:.3?}");
        // 5 mm: the height still oscillates when the ring rests on the floor
        assert!(
            heights.windows(2).all(|pair| pair[1] < pair[0] + 0.005),
            "{}: {heights:.3?}",
            method.name()
        );
    }
}

/// Mean height of the skin's vertices, m.
fn height(world: &World) -> f64 {
    let positions = &world.frame().positions;
    let sum: f64 = positions.iter().map(|p| f64::from(p[1])).sum();
    sum / positions.len() as f64
}

#[test]
fn a_heap_of_penguins_comes_to_rest() {
    let mut scene = bundled("penguins");
    let layout = scene.description.body.layout.as_mut().expect("a layout");
    (layout.count, layout.grid) = (45, [3, 5, 3]);
    let setup = setup(&scene);
    let mut world = world(&setup, Method::Lattice);
    let mut advance = |frames: usize| {
        (0..frames).for_each(|_| step(&mut world));
        world.frame().positions.clone()
    };
    let positions = advance(720);
    assert!(advance(1) == positions, "something still moves after 12 s");
    let highest = positions.iter().map(|x| x[1]).fold(0.0, f32::max);
    assert!(highest > 0.1, "squashed to {highest} m");
}

#[test]
fn bodies_in_a_heap_lie_on_each_other_and_not_inside() {
    // the rims of ears are beside and behind the points of other bodies: no such point is inside an ear
    let mut scene = bundled("heap");
    for (kind, count) in scene.description.others.iter_mut().zip([18, 25]) {
        kind.layout.as_mut().expect("a layout").count = count;
    }
    let setup = setup(&scene);
    assert_eq!(setup.body_count(), 1 + 18 + 25);
    let mut world = world(&setup, Method::Lattice);
    (0..150).for_each(|_| step(&mut world));
    let depth = world.output().report.max_violation;
    // contact points of the rabbits are 30 mm apart
    assert!(depth < 0.01, "{depth} m");
}

#[test]
fn no_bundled_scene_begins_with_bodies_inside_each_other() {
    let mut several = 0;
    for (name, _) in BUNDLED {
        let scene = bundled(name);
        let description = &scene.description;
        if description.body.layout.is_none() && description.others.is_empty() {
            continue;
        }
        several += 1;
        let setup = setup(&scene);
        let overlap = setup
            .notes
            .iter()
            .find(|note| note.text.starts_with("BodiesOverlap"));
        assert!(overlap.is_none(), "{name}: {overlap:?}");
    }
    assert!(several >= 4, "{several} scenes have several bodies");
}
