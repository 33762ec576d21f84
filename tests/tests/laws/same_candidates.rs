//! All methods share contact detection: the same tool on the same path touches the same vertices in every method.

use std::collections::BTreeSet;

use pliant_core::boundary::ConstrainedDirections;
use pliant_core::contact::Owner;
use pliant_core::mesh::SurfaceFrame;
use pliant_core::scene::Method;
use pliant_simulation::world::World;

use crate::pad::{PRESS_KEYS, pad, step, world};

/// Every method has a node at each vertex of the skin, so that differences do not come from a coarser mesh. The ball moves at 0.24 m/s: it meets many vertices in the
/// first frame with contact.
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
        PRESS_KEYS,
        "{ t = 0.0, at = [0.002, 0.256, 0.001] }, { t = 0.05, at = [0.002, 0.244, 0.001] }",
    ),
];

/// Distance up to which a vertex is a candidate in every method, diagonals. Methods with inertia have a larger margin, because their skin may come nearer within a frame.
const SHARED_MARGIN: f64 = 0.002;

/// Frames in which a vertex beside the tool is a candidate at least once: a candidate without force is left out in every third frame.
const LAST_FRAMES: usize = 6;

/// Vertices of the skin `previous` to the last frame that are nearer than `margin` (m) to the tool at the end of that frame.
fn candidates(world: &World, previous: &SurfaceFrame, margin: f64) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    for (constraint, owner) in world.contacts() {
        assert_eq!(*owner, Owner::Tool(0));
        let ConstrainedDirections::Along(normal) = constraint.directions else {
            panic!("a ball without friction holds a vertex");
        };
        let position = previous.position(constraint.vertex as usize);
        if (position - constraint.target).dot(&normal) < margin {
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
            let previous = world.frame().clone();
            step(&mut world);
            if first.is_none() {
                let inside = candidates(&world, &previous, 0.0);
                first = (!inside.is_empty()).then_some((frame, inside));
            }
            if frame >= 60 - LAST_FRAMES {
                let margin = SHARED_MARGIN * setup.diagonal;
                held.extend(candidates(&world, &previous, margin));
            }
        }
        let (frame, first) = first.expect("the ball touches");
        assert!(first.len() >= 10, "{}: {first:?}", method.name());
        all.push((method.name(), frame, first, held));
    }
    let (_, frame, first, held) = &all[0];
    for (method, other_frame, other_first, other_held) in &all[1..] {
        assert_eq!((frame, first), (other_frame, other_first), "{method}");
        // later the skins differ: the dent of the lattice is a little wider
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
