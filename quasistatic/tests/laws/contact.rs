//! Unilateral contact: no pulling forces and no penetration, also on a skin finer than the mesh that it is embedded in.

use pliant_core::asset::BodyGeometry;
use pliant_core::boundary::{BoundaryConditions, DisplacementConstraint};
use pliant_core::inspect::Inspect;
use pliant_core::math::{Mat3, Vec3};
use pliant_core::model::{DeformableModel, Degradation};
use pliant_quasistatic::haptics::LocalModel;
use pliant_quasistatic::{Precision, QuasistaticModel};

use crate::bodies::{
    RandomNumbers, above, advance, assert_near, constrained, counter, held_box, hold, longest,
    model, push, set,
};

const GRAVITY: Vec3 = Vec3::new(0.0, -9.81, 0.0);

/// Frictionless contact of every skin vertex near a ball, along the radius of the ball.
fn ball(geometry: &BodyGeometry, centre: Vec3, radius: f64) -> Vec<DisplacementConstraint> {
    let skin = &geometry.skin;
    (0..skin.vertex_count() as u32)
        .filter_map(|v| {
            let offset = skin.positions[v as usize] - centre;
            let normal = offset.normalize();
            (offset.norm() < 1.3 * radius).then(|| push(v, centre + normal * radius, normal))
        })
        .collect()
}

fn assert_complementary(model: &QuasistaticModel, boundary: &BoundaryConditions, depth: f64) {
    let skin = model.surface();
    let largest = longest(model.reactions());
    for (c, force) in boundary.displacements().iter().zip(model.reactions()) {
        let pliant_core::boundary::ConstrainedDirections::Along(n) = c.directions else {
            continue;
        };
        let position = skin.positions[c.vertex as usize] + model.displacement(c.vertex as usize);
        let gap = (position - c.target).dot(&n);
        assert!(force.dot(&n) >= 0.0, "vertex {} is pulled", c.vertex);
        assert!(
            gap > -1e-6 * depth,
            "vertex {} is {gap:.1e} m deep",
            c.vertex
        );
        assert!(
            force.norm() <= 1e-6 * largest || gap < 1e-6 * depth,
            "vertex {} is pushed at a distance",
            c.vertex
        );
    }
}

#[test]
fn random_pokes_of_an_embedded_skin_neither_pull_nor_penetrate() {
    let geometry = held_box(Vec3::new(0.2, 0.1, 0.2), [6, 3, 6], Some([25, 13, 25]));
    let mut model = model(&geometry, Precision::Single);
    let mut random = RandomNumbers(5);
    let mut pushed = 0;
    for _ in 0..50 {
        let radius = 0.03 + 0.01 * random.signed();
        let depth = 0.006 + 0.004 * random.signed();
        let (x, z) = (0.07 * random.signed(), 0.07 * random.signed());
        let centre = Vec3::new(x, 0.05 + radius - depth, z);
        let mut boundary = constrained(ball(&geometry, centre, radius));
        boundary.gravity = GRAVITY;
        let report = advance(&mut model, &boundary).expect("regular");
        assert!(
            report.max_violation < 1e-6 * 0.3,
            "{}",
            report.max_violation
        );
        assert_eq!(report.degraded, None);
        assert_complementary(&model, &boundary, 0.3);
        let pushing = model.reactions().iter().filter(|f| f.norm() > 0.0).count();
        assert!(pushing > 0 || depth < 0.004, "a deep poke must touch");
        pushed += pushing;
    }
    assert!(pushed > 80, "the pokes must touch: {pushed}");
}

#[test]
fn pressing_and_lifting_never_pulls_and_ends_at_rest() {
    let geometry = held_box(Vec3::repeat(0.2), [5, 5, 5], None);
    let mut model = model(&geometry, Precision::Single);
    let mut last = 0.0;
    for step in 0..20 {
        let depth = 0.01 * (1.0 - (step as f64 - 10.0).abs() / 10.0);
        let centre = Vec3::new(0.013, 0.1 + 0.05 - depth, 0.004);
        let boundary = constrained(ball(&geometry, centre, 0.05));
        advance(&mut model, &boundary).expect("regular");
        assert_complementary(&model, &boundary, 0.2);
        let force: Vec3 = model.reactions().iter().sum();
        assert!(force.y <= 0.0);
        if step <= 10 {
            assert!(-force.y >= last, "deeper is harder");
            last = -force.y;
        }
    }
    assert!(last > 1.0);
    advance(&mut model, &BoundaryConditions::default()).expect("regular");
    assert!((0..geometry.skin.vertex_count()).all(|v| model.displacement(v) == Vec3::zeros()));
    assert_eq!(model.support_reactions(), [Vec3::zeros()]);
}

#[test]
fn a_flat_plate_on_a_fine_skin_presses_without_dents() {
    let geometry = held_box(Vec3::new(0.2, 0.1, 0.2), [4, 2, 4], Some([16, 8, 16]));
    let mut model = model(&geometry, Precision::Single);
    let skin = &geometry.skin;
    let boundary = constrained(above(skin, 0.0499).into_iter().map(|v| {
        let x = skin.positions[v as usize];
        push(v, Vec3::new(x.x, 0.045, x.z), -Vec3::y())
    }));
    assert!(boundary.displacements().len() > 160);
    let report = advance(&mut model, &boundary).expect("regular");
    // 25 nodes of the coarse mesh determine all 289 skin vertices
    assert!(
        report.max_violation < 1e-6 * 0.3,
        "{}",
        report.max_violation
    );
    assert_complementary(&model, &boundary, 0.3);

    // too few rows on purpose: the solution is coarser, reported as such, and still has no pulling forces
    set(&mut model, "max_contacts", 4.0);
    let report = advance(&mut model, &boundary).expect("regular");
    assert_eq!(report.degraded, Some(Degradation::CoarserConstraints));
    assert!(
        report.max_violation > 1e-5 && report.max_violation < 0.006,
        "{report:?}"
    );
    assert!(model.reactions().iter().all(|f| f.y <= 0.0));
    assert!(model.reactions().iter().filter(|f| f.norm() > 0.0).count() <= 4);
}

#[test]
fn a_grab_on_more_vertices_than_nodes_keeps_an_independent_part() {
    let geometry = held_box(Vec3::repeat(0.2), [2, 2, 2], Some([8, 8, 8]));
    let mut model = model(&geometry, Precision::Single);
    let skin = &geometry.skin;
    let lift = Vec3::new(0.002, 0.005, 0.0);
    let corner = above(skin, 0.099).into_iter().filter(|&v| {
        let x = skin.positions[v as usize];
        x.x > 0.0 && x.z > 0.0
    });
    let boundary = constrained(corner.map(|v| hold(v, skin.positions[v as usize] + lift, None)));
    let report = advance(&mut model, &boundary).expect("dependent rows are dropped");
    assert!(
        report.max_violation < 1e-8,
        "a rigid grab is compatible with all rows"
    );
    assert!(counter(&model, "dependent_constraints") > 20.0);
    let notes = model.stats().notes;
    assert!(notes.iter().any(|n| n.contains("DependentConstraint")));
    let held: Vec3 = model.reactions().iter().sum();
    assert_near(-model.support_reactions()[0], held, 1e-9);
    assert!(
        held.norm() < 1e4,
        "no huge forces against each other: {held}"
    );
}

#[test]
fn contacts_on_a_support_are_reported_and_do_no_harm() {
    let geometry = held_box(Vec3::repeat(0.2), [3, 3, 3], None);
    let mut model = model(&geometry, Precision::Single);
    let foot = geometry.supports[0].skin_vertices[0];
    let x = geometry.skin.positions[foot as usize];
    let beyond = geometry.skin.vertex_count() as u32 + 5;
    let boundary = constrained([
        push(foot, x + Vec3::y() * 0.001, Vec3::y()),
        hold(beyond, x, None),
    ]);
    let report = advance(&mut model, &boundary).expect("nothing to solve");
    assert_eq!(model.reactions(), [Vec3::zeros(); 2]);
    assert!((report.max_violation - 0.001).abs() < 1e-12);
}

#[test]
fn a_grab_of_very_many_vertices_is_thinned_and_stays_accurate() {
    let geometry = held_box(Vec3::repeat(0.2), [4, 4, 4], Some([20, 20, 20]));
    let mut model = model(&geometry, Precision::Single);
    let skin = &geometry.skin;
    let lift = Vec3::new(0.001, 0.004, -0.002);
    let top = above(skin, 0.05).into_iter();
    let boundary = constrained(top.map(|v| hold(v, skin.positions[v as usize] + lift, None)));
    assert!(boundary.displacements().len() > 600);
    let report = advance(&mut model, &boundary).expect("thinned");
    // 160 vertices hold the 57 nodes of that part of the coarse mesh
    assert!(report.max_violation < 1e-8, "{report:?}");
    assert_eq!(report.degraded, None);
    let held: Vec3 = model.reactions().iter().sum();
    assert_near(-model.support_reactions()[0], held, 1e-9);
}

/// Contacts of several balls; a vertex belongs to the first ball near it.
fn balls(geometry: &BodyGeometry, fingers: &[(Vec3, f64)]) -> Vec<DisplacementConstraint> {
    let mut all: Vec<DisplacementConstraint> = Vec::new();
    for &(centre, radius) in fingers {
        for candidate in ball(geometry, centre, radius) {
            // candidates of one finger lie on the side that faces it
            let x = geometry.skin.positions[candidate.vertex as usize];
            let outward = Vec3::new(x.x, 0.0, x.z);
            let is_known = all.iter().any(|c| c.vertex == candidate.vertex);
            if !is_known && (centre.y > 0.15 || outward.dot(&centre) > 0.0) {
                all.push(candidate);
            }
        }
    }
    all
}

#[test]
fn three_hundred_pokes_and_grasps_end_within_eight_solves() {
    let geometry = held_box(Vec3::new(0.2, 0.2, 0.2), [9, 9, 9], None);
    let mut model = model(&geometry, Precision::Single);
    let mut random = RandomNumbers(11);
    let (mut max_solves, mut pushed, mut grasps) = (0.0_f64, 0, 0);
    for trial in 0..300 {
        let depth = |r: &mut RandomNumbers| 0.008 + 0.006 * r.signed();
        let fingers: Vec<(Vec3, f64)> = if trial % 2 == 0 {
            let radius = 0.04 + 0.02 * random.signed();
            let height = 0.1 + radius - depth(&mut random);
            vec![(
                Vec3::new(0.07 * random.signed(), height, 0.07 * random.signed()),
                radius,
            )]
        } else {
            // thumb and up to four fingers around the block
            grasps += 1;
            (0..2 + random.below(4))
                .map(|k| {
                    let radius = 0.03 + 0.01 * random.signed();
                    let side = if k == 0 { -1.0 } else { 1.0 };
                    let x = side * (0.1 + radius - depth(&mut random));
                    let y = 0.05 + 0.03 * random.signed();
                    (Vec3::new(x, y, 0.08 * random.signed()), radius)
                })
                .collect()
        };
        let mut boundary = constrained(balls(&geometry, &fingers));
        boundary.gravity = GRAVITY;
        let report = advance(&mut model, &boundary).expect("regular");
        assert_eq!(report.degraded, None);
        assert!(
            report.max_violation < 1e-6 * 0.2,
            "trial {trial}: {report:?}"
        );
        assert_complementary(&model, &boundary, 0.2);
        max_solves = max_solves.max(counter(&model, "solves"));
        pushed += model.reactions().iter().filter(|f| f.norm() > 0.0).count();
    }
    assert_eq!(grasps, 150);
    assert!(pushed > 1_000, "the fingers must touch: {pushed}");
    assert!(max_solves <= 8.0, "{max_solves} solves");
}

#[test]
fn a_plate_that_tilts_updates_its_inverse_and_gives_the_forces_of_a_fresh_model() {
    let geometry = held_box(Vec3::new(0.2, 0.1, 0.2), [12, 5, 12], None);
    let asset = crate::bodies::baked(&geometry, Precision::Single);
    let skin = &geometry.skin;
    let fresh_model =
        || QuasistaticModel::new(asset.clone(), &crate::bodies::params(Precision::Single));
    let mut model = fresh_model();
    let top = above(skin, 0.0499);
    let (mut updates, mut factorisations) = (0.0, 0.0);
    for frame in 0..60 {
        // the normals stay, the depth at each vertex changes: contacts close at one side and open at the other
        let phase = 0.1 * f64::from(frame);
        let (a, b) = (0.03 * phase.sin(), 0.03 * phase.cos());
        let boundary = constrained(top.iter().map(|&v| {
            let x = skin.positions[v as usize];
            let height = 0.0497 + a * x.x + b * x.z;
            push(v, Vec3::new(x.x, height, x.z), -Vec3::y())
        }));
        advance(&mut model, &boundary).expect("regular");
        assert_complementary(&model, &boundary, 0.2);
        updates += counter(&model, "inverse_updates");
        factorisations += counter(&model, "factorisations");
        let mut fresh = fresh_model();
        advance(&mut fresh, &boundary).expect("regular");
        let largest = longest(fresh.reactions());
        for (x, y) in model.reactions().iter().zip(fresh.reactions()) {
            assert!((x - y).norm() < 1e-10 * largest, "frame {frame}");
        }
    }
    assert!(updates > 60.0, "{updates}");
    assert!(factorisations < 12.0, "{factorisations}");
}

/// The local model of a frame is the exact response of the body while the same contacts push.
#[test]
fn a_local_model_predicts_the_next_frame() {
    let geometry = held_box(Vec3::new(0.2, 0.1, 0.2), [9, 5, 9], None);
    let mut model = model(&geometry, Precision::Single);
    let at = Vec3::new(0.004, 0.05 + 0.25 - 0.008, -0.003);
    let touching = |motion: Vec3| {
        // the directions of the first frame: a tool that moves by micrometres
        let mut constraints = ball(&geometry, at, 0.25);
        constraints.iter_mut().for_each(|c| c.target += motion);
        constrained(constraints)
    };
    advance(&mut model, &touching(Vec3::zeros())).expect("regular");
    let mut local = LocalModel::default();
    model.write_local_model(&[at], |_| Some(0), &mut local);
    let force = |local: &LocalModel, at: Vec3| {
        let mut out = [(Vec3::zeros(), Mat3::zeros())];
        local.forces(&[at], &mut out);
        out[0].0
    };
    assert!(local.epoch == 1 && local.len() > 4);
    let initial_force: Vec3 = model.reactions().iter().sum();
    assert_near(force(&local, at), initial_force, 1e-9);
    for motion in [Vec3::new(0.0, -2e-5, 0.0), Vec3::new(1e-5, 1e-5, -2e-5)] {
        advance(&mut model, &touching(motion)).expect("regular");
        let exact: Vec3 = model.reactions().iter().sum();
        assert_near(force(&local, at + motion), exact, 1e-5);
    }
    // the tool is gone: nothing pulls
    let away = force(&local, at + Vec3::y() * 0.1);
    assert_eq!(away, Vec3::zeros());
}
