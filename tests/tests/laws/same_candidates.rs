//! Detection is shared: the same tool on the same path touches the same vertices in every method.

use std::collections::BTreeSet;

use pliant_core::boundary::ConstrainedDirections;
use pliant_core::contact::Owner;
use pliant_core::mesh::SurfaceFrame;
use pliant_core::scene::Method;
use pliant_simulation::world::World;

use crate::pad::{PRESS, pad, step, world};

/// Every method has a node at each vertex of the skin, so that what differs is not what a coarser one cannot follow. The ball comes with 0.24 m/s: it meets many vertices in the
/// first frame that touches.
const SAME_NODES: [(&str, &str); 7] = [
    ("zeta = 0.3", "zeta = 0.3, law = \"stable_neo_hookean\""),
    (
        "target_edges = [0.05, 0.025]",
        "target_edges = [0.0125], resolution = \"level\"",
    ),
    ("cell = 0.025", "cell = 0.0125"),
    ("boundary = 400", "elements = \"linear\""),
    ("radius = 0.3", "radius = 0.2"),
    ("smooth", "linear"),
    (
        PRESS,
        "{ t = 0.0, at = [0.002, 0.256, 0.001] }, { t = 0.05, at = [0.002, 0.244, 0.001] }",
    ),
];

/// Distance up to which every method sees a vertex as a candidate, diagonals. Those with inertia look further, because their skin may come nearer within a frame.
const SHARED_MARGIN: f64 = 0.002;

/// Frames in which a vertex beside the tool is a candidate at least once: one without force is left out in every third.
const LOOKED_AT: usize = 6;

/// What the tool is nearer to than `margin` (m) at the end of the frame that was just stepped, of the skin `before` it.
fn candidates(world: &World, before: &SurfaceFrame, margin: f64) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    for (constraint, owner) in world.contacts() {
        assert_eq!(*owner, Owner::Tool(0));
        let ConstrainedDirections::Along(normal) = constraint.directions else {
            panic!("a ball without friction holds a vertex");
        };
        let here = before.position(constraint.vertex as usize);
        if (here - constraint.target).dot(&normal) < margin {
            found.insert(constraint.vertex);
        }
    }
    found
}

#[test]
fn the_same_tool_path_touches_the_same_vertices_in_every_method() {
    let setup = pad(&SAME_NODES);
    let mut all = Vec::new();
    for method in Method::ALL {
        let mut world = world(&setup, method);
        let mut first = None;
        let mut held = BTreeSet::new();
        for frame in 0..60 {
            let before = world.frame().clone();
            step(&mut world);
            if first.is_none() {
                let inside = candidates(&world, &before, 0.0);
                first = (!inside.is_empty()).then_some((frame, inside));
            }
            if frame >= 60 - LOOKED_AT {
                held.extend(candidates(&world, &before, SHARED_MARGIN * setup.diagonal));
            }
        }
        let (frame, first) = first.expect("the ball touches");
        assert!(first.len() >= 10, "{}: {first:?}", method.name());
        all.push((method.name(), frame, first, held));
    }
    let (_, frame, first, held) = &all[0];
    for (method, other_frame, other_first, other_held) in &all[1..] {
        assert_eq!((frame, first), (other_frame, other_first), "{method}");
        // later the skin is where the method has moved it; the lattice's dent is a little wider
        let differing = held.symmetric_difference(other_held).count() as f64;
        let fewest = held.len().min(other_held.len());
        assert!(
            fewest >= 20 && differing <= 0.05 * fewest as f64,
            "{method}: {differing} of {} and {} vertices differ",
            held.len(),
            other_held.len()
        );
    }
}
