//! A block between two and five fingers with friction: over 100 active components a frame, no pulling forces, and each finger changes the forces of the others.

use std::sync::Arc;

use pliant_core::asset::BodyGeometry;
use pliant_core::boundary::{
    BoundaryConditions, ConstrainedDirections, DisplacementConstraint, Friction,
};
use pliant_core::math::Vec3;
use pliant_core::model::DeformableModel;
use pliant_quasistatic::{GreensAsset, Precision, QuasistaticModel};

use crate::bodies::{advance, baked, constrained, counter, held_box, params};

const FRAMES: usize = 20;
const RADIUS: f64 = 0.022;
const HALF_LENGTH: f64 = 0.015;
const DEPTH: f64 = 0.006;

/// First contact point of each finger, and the direction in which it presses: thumb, index, middle, ring, little.
fn fingers() -> [(Vec3, Vec3); 5] {
    let (side, up) = (0.06, 0.01);
    [
        (Vec3::new(0.0, up, side), -Vec3::z()),
        (Vec3::new(-0.03, up, -side), Vec3::z()),
        (Vec3::new(0.03, up, -side), Vec3::z()),
        (Vec3::new(-side, up, 0.0), Vec3::x()),
        (Vec3::new(side, up, 0.0), -Vec3::x()),
    ]
}

/// Contacts of upright capsules at `depths` in the block at rest, and the finger of each. A vertex belongs to the first finger near it.
fn grasp(
    geometry: &BodyGeometry,
    depths: &[f64],
    step: f64,
) -> (BoundaryConditions, Vec<(u32, usize)>) {
    let mut owners = Vec::new();
    let mut list = Vec::new();
    for (v, x) in geometry.skin.positions.iter().enumerate() {
        for (finger, ((at, direction), depth)) in fingers().into_iter().zip(depths).enumerate() {
            let axis = at + direction * (depth - RADIUS);
            let along = (x.y - axis.y).clamp(-HALF_LENGTH, HALF_LENGTH);
            let offset = x - (axis + Vec3::y() * along);
            // the side of the block that the finger faces
            if offset.norm() > 1.3 * RADIUS || offset.dot(&direction) < 0.3 * RADIUS {
                continue;
            }
            let normal = offset.normalize();
            owners.push((v as u32, finger));
            list.push(DisplacementConstraint {
                friction: Friction::coulomb(0.5),
                ..DisplacementConstraint::contact(v as u32, x - offset + normal * RADIUS, normal)
                    .moving(direction * (step * 60.0))
            });
            break;
        }
    }
    (constrained(list), owners)
}

struct Outcome {
    /// Force of each finger along its direction, N.
    forces: [f64; 5],
    switched: f64,
    worst_pull: f64,
}

/// Presses with the fingers whose depth is above zero. Returns the state at the end.
fn pressed(geometry: &BodyGeometry, asset: &Arc<GreensAsset>, depths: [f64; 5]) -> Outcome {
    let mut model = QuasistaticModel::new(asset.clone(), &params(Precision::Single));
    let mut outcome = Outcome {
        forces: [0.0; 5],
        switched: 0.0,
        worst_pull: 0.0,
    };
    for frame in 1..=FRAMES {
        let share = frame as f64 / FRAMES as f64;
        let now = depths.map(|d| if d > 0.0 { d * share } else { -1.0 });
        let (boundary, owners) = grasp(geometry, &now, DEPTH / FRAMES as f64);
        advance(&mut model, &boundary).expect("regular");
        outcome.forces = [0.0; 5];
        for ((c, force), (_, finger)) in boundary
            .displacements()
            .iter()
            .zip(model.reactions())
            .zip(&owners)
        {
            let ConstrainedDirections::Along(normal) = c.directions else {
                continue;
            };
            outcome.worst_pull = outcome.worst_pull.min(force.dot(&normal));
            outcome.forces[*finger] += force.dot(&fingers()[*finger].1);
        }
        // a pushing vertex has an active normal component, and a sticking one two tangential components too
        outcome.switched = counter(&model, "pushing") + 2.0 * counter(&model, "sticking");
    }
    outcome
}

#[test]
fn five_fingers_switch_over_a_hundred_components_and_feel_each_other() {
    let geometry = held_box(Vec3::new(0.12, 0.1, 0.12), [14, 12, 14], None);
    let asset = baked(&geometry, Precision::Single);
    let all = pressed(&geometry, &asset, [DEPTH; 5]);
    assert!(all.switched > 100.0, "{}", all.switched);
    let largest = all.forces.iter().fold(0.0_f64, |a, b| a.max(*b));
    assert!(all.worst_pull > -1e-6 * largest, "{}", all.worst_pull);
    assert!(
        all.forces.iter().all(|f| *f > 0.05 * largest),
        "{:?}",
        all.forces
    );

    let two = pressed(&geometry, &asset, [DEPTH, DEPTH, 0.0, 0.0, 0.0]);
    assert!(two.switched > 20.0 && two.switched < all.switched);
    assert!(two.forces[2..].iter().all(|f| *f == 0.0));
    // the stiffness of a finger, from a step of a tenth of its depth, with and without the others
    let stiffness = |others: f64, finger: usize| {
        let at = |share: f64| {
            let mut depths = [others; 5];
            depths[finger] = share * DEPTH;
            pressed(&geometry, &asset, depths).forces[finger]
        };
        (at(1.0) - at(0.9)) / (0.1 * DEPTH)
    };
    for finger in 0..5 {
        let (alone, held) = (stiffness(0.0, finger), stiffness(DEPTH, finger));
        assert!(
            (held / alone - 1.0).abs() > 0.01,
            "{finger}: {alone} {held}"
        );
    }
}
