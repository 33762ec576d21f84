//! Distributed Coulomb friction: cones, sticking as a held constraint, the direction of sliding, and snapshots.

use pliant_core::asset::BodyGeometry;
use pliant_core::boundary::{
    BoundaryConditions, ConstrainedDirections, DisplacementConstraint, Friction,
};
use pliant_core::math::Vec3;
use pliant_core::model::DeformableModel;
use pliant_quasistatic::{Precision, QuasistaticModel};

use crate::bodies::{RandomNumbers, advance, constrained, counter, held_box, hold, model};

const FRAME: f64 = 1.0 / 60.0;

/// Contacts of a ball that moved by `motion` in this frame and is now at `centre`, on a body at its last frame.
fn ball(
    geometry: &BodyGeometry,
    centre: Vec3,
    motion: Vec3,
    radius: f64,
    (static_coefficient, kinetic_coefficient): (f64, f64),
) -> BoundaryConditions {
    let skin = &geometry.skin;
    constrained(skin.positions.iter().enumerate().filter_map(|(v, x)| {
        let offset = x - centre;
        // the normals of a tool that is far larger than its path
        let normal = Vec3::new(offset.x, offset.y.min(-0.1 * radius), offset.z).normalize();
        (offset.norm() < 1.4 * radius && x.y > 0.0).then(|| DisplacementConstraint {
            friction: Friction::Coulomb {
                static_coefficient,
                kinetic_coefficient,
            },
            ..DisplacementConstraint::contact(v as u32, centre + normal * radius, normal)
                .moving(motion / FRAME)
        })
    }))
}

fn parts(boundary: &BoundaryConditions, model: &QuasistaticModel) -> Vec<(f64, Vec3)> {
    let split = |(c, force): (&DisplacementConstraint, &Vec3)| {
        let ConstrainedDirections::Along(n) = c.directions else {
            return (0.0, *force);
        };
        let normal = force.dot(&n);
        (normal, force - n * normal)
    };
    boundary
        .displacements()
        .iter()
        .zip(model.reactions())
        .map(split)
        .collect()
}

#[test]
fn forces_stay_in_their_cones_and_what_slides_is_dragged() {
    for skin_cells in [None, Some([21, 7, 21])] {
        let geometry = held_box(Vec3::new(0.2, 0.1, 0.2), [8, 4, 8], skin_cells);
        let mut random = RandomNumbers(4);
        for (sticking, sliding) in [(0.3, 0.3), (0.5, 0.4), (0.2, 0.1)] {
            let mut model = model(&geometry, Precision::Single);
            let radius = 0.12;
            let mut centre = Vec3::new(0.0, 0.05 + radius + 0.001, 0.0);
            let mut touching: Vec<u32> = Vec::new();
            for frame in 0..25 {
                let motion = if frame < 8 {
                    Vec3::new(0.0, -0.001, 0.0)
                } else {
                    Vec3::new(0.0012, 0.0, 0.0005) + random.vector(2e-4)
                };
                let before: Vec<Vec3> = (0..geometry.skin.vertex_count())
                    .map(|v| model.displacement(v))
                    .collect();
                centre += motion;
                let boundary = ball(&geometry, centre, motion, radius, (sticking, sliding));
                let touched = std::mem::take(&mut touching);
                let report = advance(&mut model, &boundary).expect("regular");
                assert_eq!(report.degraded, None, "frame {frame}");
                assert!(report.max_violation < 2e-7, "{report:?}");
                let (mut stuck, mut slid) = (0, 0);
                let pieces = parts(&boundary, &model);
                let largest = pieces.iter().map(|p| p.0).fold(0.0, f64::max);
                for (c, &(normal, tangential)) in boundary.displacements().iter().zip(&pieces) {
                    assert!(normal >= 0.0, "nothing pulls");
                    assert!(tangential.norm() <= sticking * normal * (1.0 + 1e-6) + 1e-9 * largest);
                    if normal > 0.0 {
                        touching.push(c.vertex);
                    }
                    // a vertex first touched within the frame moves with the tool for a part of it only
                    let is_new = !touched.contains(&c.vertex);
                    if frame < 8 || normal < 1e-3 * largest || is_new {
                        continue;
                    }
                    let ConstrainedDirections::Along(n) = c.directions else {
                        unreachable!()
                    };
                    let moved = model.displacement(c.vertex as usize) - before[c.vertex as usize];
                    let relative = motion - moved;
                    let relative = relative - n * n.dot(&relative);
                    if tangential.norm() < sliding * normal * (1.0 - 1e-5) {
                        stuck += 1;
                        assert!(
                            relative.norm() < 1e-6 * motion.norm() + 1e-9,
                            "sticking moves along"
                        );
                    } else if tangential.norm() < sliding * normal * (1.0 + 1e-5) {
                        slid += 1;
                        let drag = relative.dot(&tangential);
                        assert!(
                            drag >= -1e-9 * tangential.norm(),
                            "force drags with the tool"
                        );
                    }
                }
                assert!(frame < 8 || stuck + slid > 0);
            }
            assert!(
                counter(&model, "sliding") > 0.0,
                "after 20 mm all of it slides"
            );
            let pieces = parts(
                &ball(&geometry, centre, Vec3::zeros(), radius, (0.3, 0.3)),
                &model,
            );
            let normal: f64 = pieces.iter().map(|p| p.0).sum();
            let drag: Vec3 = pieces.iter().map(|p| p.1).sum();
            assert!(drag.x > 0.5 * sliding * normal && drag.norm() <= sticking * normal);
        }
    }
}

#[test]
fn what_sticks_is_held() {
    let geometry = held_box(Vec3::new(0.2, 0.1, 0.2), [6, 3, 6], None);
    let mut model = model(&geometry, Precision::Double);
    let radius = 0.15;
    let mut centre = Vec3::new(0.003, 0.05 + radius - 0.006, 0.001);
    let sticky = (20.0, 20.0);
    let press = ball(&geometry, centre, Vec3::zeros(), radius, sticky);
    advance(&mut model, &press).expect("regular");
    let motion = Vec3::new(0.001, -0.002, 0.0005);
    centre += motion;
    let drag = ball(&geometry, centre, motion, radius, sticky);
    let before: Vec<Vec3> = (0..geometry.skin.vertex_count())
        .map(|v| model.displacement(v))
        .collect();
    advance(&mut model, &drag).expect("regular");
    assert_eq!(counter(&model, "sliding"), 0.0);
    assert!(counter(&model, "sticking") > 3.0);
    // the same vertices, held at their sticking positions
    let pushing = drag.displacements().iter().zip(model.reactions());
    let held = constrained(pushing.filter(|(_, f)| f.norm() > 0.0).map(|(c, _)| {
        let ConstrainedDirections::Along(n) = c.directions else {
            unreachable!()
        };
        let v = c.vertex as usize;
        let carried = geometry.skin.positions[v] + before[v] + motion;
        let target = carried + n * n.dot(&(c.target - carried));
        hold(c.vertex, target, None)
    }));
    let mut other = crate::bodies::model(&geometry, Precision::Double);
    advance(&mut other, &held).expect("regular");
    for v in 0..geometry.skin.vertex_count() {
        let error = model.displacement(v) - other.displacement(v);
        assert!(error.norm() < 1e-9, "vertex {v}: {error}");
    }
}

#[test]
fn a_tool_that_comes_back_leaves_heat_and_a_snapshot_remembers_it() {
    let geometry = held_box(Vec3::new(0.2, 0.1, 0.2), [6, 3, 6], None);
    let radius = 0.12;
    let start = Vec3::new(0.0, 0.05 + radius - 0.006, 0.0);
    let mut model = model(&geometry, Precision::Single);
    let mut copy = crate::bodies::model(&geometry, Precision::Single);
    let mut work = 0.0;
    let mut centre = start;
    for frame in 0..48 {
        let angle = f64::from(frame) * std::f64::consts::PI / 12.0;
        let next = start + Vec3::new(angle.sin(), 0.0, 0.0) * 0.008;
        let motion = next - centre;
        centre = next;
        let boundary = ball(&geometry, centre, motion, radius, (0.4, 0.3));
        if frame == 20 {
            copy.restore(&model.snapshot()).expect("the same body");
        }
        advance(&mut model, &boundary).expect("regular");
        if frame >= 20 {
            advance(&mut copy, &boundary).expect("regular");
            assert_eq!(model.snapshot(), copy.snapshot(), "frame {frame}");
        }
        if frame >= 24 {
            let force: Vec3 = model.reactions().iter().sum();
            work += force.dot(&motion);
        }
    }
    assert!(work > 0.0, "a closed loop costs work: {work}");
}

#[test]
fn a_large_tool_that_hovers_after_a_small_one_pressed_gives_no_force() {
    let geometry = held_box(Vec3::new(0.2, 0.1, 0.2), [8, 4, 8], None);
    let mut model = model(&geometry, Precision::Single);
    let at = |radius: f64, above: f64| Vec3::new(0.0, 0.05 + radius + above, 0.0);
    let coefficients = (0.5, 0.4);
    let small = ball(
        &geometry,
        at(0.03, -0.003),
        Vec3::zeros(),
        0.03,
        coefficients,
    );
    advance(&mut model, &small).expect("regular");
    assert!(counter(&model, "sticking") > 0.0, "it rubs");
    let large = ball(&geometry, at(0.2, 0.02), Vec3::zeros(), 0.2, coefficients);
    let count = large.displacements().len();
    assert!(count > 3 * small.displacements().len(), "{count}");
    let report = advance(&mut model, &large).expect("regular");
    assert_eq!(report.degraded, None);
    let forces = parts(&large, &model);
    assert!(forces.iter().all(|f| f.0 == 0.0 && f.1 == Vec3::zeros()));
}
