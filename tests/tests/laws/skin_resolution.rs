//! A skin that is twice as fine has four times as many contacts and the same force.

use pliant_core::contact::Owner;
use pliant_core::scene::Method;

use crate::pad::{pad, run, upward_force, world};

/// The contact has a radius of about 40 mm: three edges of the coarser skin. With fewer edges the dent between the vertices makes the force depend on the skin by more than this law
/// allows.
#[test]
fn a_skin_twice_as_fine_has_the_same_force() {
    for method in Method::ALL {
        let [coarse, fine] = ["edge = 0.0125", "edge = 0.00625"].map(|edge| {
            // the methods keep their own meshes
            let setup = pad(&[("edge = 0.0125", edge)]);
            let mut world = world(&setup, method);
            run(&mut world, &setup, 1.2);
            let touched = world.contacts().filter(|c| *c.1 == Owner::Tool(0)).count();
            (upward_force(&world), touched)
        });
        let change = fine.0 / coarse.0 - 1.0;
        let name = method.name();
        assert!(coarse.0 > 1.0 && coarse.1 > 20, "{name}: {coarse:?}");
        assert!(fine.1 > 2 * coarse.1, "{name}: {coarse:?} {fine:?}");
        assert!(change.abs() < 0.03, "{name}: {coarse:?} {fine:?}");
    }
}
