//! A grip with friction keeps its force while nothing moves, also where cells are so large that several vertices of the skin depend on the same particles.

use pliant_core::scene::Method;
use pliant_simulation::world::World;
use pliant_tests::{scene, setup};

use crate::pad::{assert_restored, run, world};

/// Two fingers close on a block by 5 mm each, pull it up by 2 mm, and stand still from 0.9 s on. A cell is as large as two edges of the skin.
const GRIP: &str = r#"
    schema = 1
    name = "grip"
    frame_rate = 60.0
    gravity = [0.0, 0.0, 0.0]
    methods = ["lattice"]
    [[body]]
    name = "block"
    mesh = { procedural = "box", size = [0.056, 0.056, 0.084], edge = 0.007 }
    material = { young = 2.0e4, poisson = 0.3, density = 1000.0, zeta = 0.3 }
    support = [ { name = "base", select = { half_space = { point = [0.0, -0.0279, 0.0], normal = [0.0, -1.0, 0.0] } } } ]
    lattice = { cell = 0.014, half_width = 1, calibrate = false }
    [[tool]]
    name = "thumb"
    shape = { capsule = { radius = 0.025, half_length = 0.03 } }
    contact = { mu_s = 0.6 }
    motion = { path = "thumb" }
    [[tool]]
    name = "finger"
    shape = { capsule = { radius = 0.025, half_length = 0.03 } }
    contact = { mu_s = 0.6 }
    motion = { path = "finger" }
    [[path]]
    name = "thumb"
    interpolation = "smooth"
    keys = [ { t = 0.0, at = [0.0, 0.015, 0.07] }, { t = 0.5, at = [0.0, 0.015, 0.062] }, { t = 0.6, at = [0.0, 0.015, 0.062] }, { t = 0.9, at = [0.0, 0.017, 0.062] } ]
    [[path]]
    name = "finger"
    interpolation = "smooth"
    keys = [ { t = 0.0, at = [0.0, 0.015, -0.07] }, { t = 0.5, at = [0.0, 0.015, -0.062] }, { t = 0.6, at = [0.0, 0.015, -0.062] }, { t = 0.9, at = [0.0, 0.017, -0.062] } ]
"#;

#[test]
fn a_grip_keeps_its_force_while_nothing_moves() {
    let block = setup(&scene(GRIP));
    let mut world = world(&block, Method::Lattice);
    let forces = |world: &World| [0, 1].map(|finger: usize| world.output().wrenches[finger].force);
    run(&mut world, &block, 1.0);
    let early = forces(&world);
    run(&mut world, &block, 2.0);
    for (early, late) in early.iter().zip(forces(&world)) {
        assert!(early.y.abs() > 0.1 * early.norm(), "friction lifts it");
        // 7 % where every frame begins without impulses
        let lost = (late - early).norm() / early.norm();
        assert!(lost < 1e-3, "{early:?} became {late:?}");
    }
}

#[test]
fn forces_that_contacts_expect_are_a_part_of_the_state() {
    let block = setup(&scene(GRIP));
    let mut worlds = [(); 2].map(|()| world(&block, Method::Lattice));
    run(&mut worlds[0], &block, 0.8);
    assert_restored(&mut worlds, 0, "a grip");
}
