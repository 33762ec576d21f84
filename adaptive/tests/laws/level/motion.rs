//! Momentum, energy, determinism and state.

use nalgebra::Rotation3;
use pliant_adaptive::study::mesh::{box_with_about, wall_nodes};
use pliant_adaptive::{AdaptiveModel, AdaptiveParams, DampingRule, ElementModel, LevelChoice};
use pliant_core::boundary::{BoundaryConditions, DisplacementConstraint};
use pliant_core::math::Vec3;
use pliant_core::model::{DeformableModel, FrameRequest};
use pliant_core::scene::Selection;

use crate::bodies::{
    FRAME, SIDES, With, baked, baked_block, bent, block, body, constrained, cube_material, frame,
    frames, left_of, model, momenta, nearest, on_threads, weight, with_weight,
};

#[test]
fn a_free_body_keeps_its_momenta() {
    for model in [
        ElementModel::Green,
        ElementModel::StableNeoHookean,
        ElementModel::Spring,
    ] {
        let asset = baked_block(SIDES, &[[2, 2, 3]], 0.05, None);
        let mut b = body(&asset, 0, model);
        let x: Vec<Vec3> = b.level_nodes().iter().map(bent).collect();
        let spin = Vec3::new(0.5, 3.0, -1.0);
        let v: Vec<Vec3> = x
            .iter()
            .map(|x| spin.cross(x) + Vec3::new(1.0, 0.0, 0.3 * x.y))
            .collect();
        b.set_state(&x, &v);
        let before = momenta(&b);
        frames(&mut b, &BoundaryConditions::default(), 60);
        let after = momenta(&b);
        assert!(
            (after.0 - before.0).norm() < 1e-12 * before.0.norm(),
            "{model:?}"
        );
        assert!(
            (after.1 - before.1).norm() < 1e-12 * before.1.norm(),
            "{model:?}"
        );
    }
}

#[test]
fn both_damping_rules_damp_the_lowest_mode_by_the_ratio_and_conserve_momenta() {
    for rule in [DampingRule::Strain, DampingRule::Rayleigh] {
        let params = AdaptiveParams::default()
            .with(|p| p.level = LevelChoice::Index(0))
            .with(|p| p.damping_rule = rule);
        // the amplitude of the lowest mode falls by exp(−2πζ) a period
        let zeta = 0.05;
        let wall = left_of(-0.499);
        let asset = baked_block(Vec3::repeat(1.0), &[[3, 3, 3]], zeta, Some(wall));
        let mut b = model(&asset, params);
        // a small upward velocity that grows towards the free end; higher modes decay first
        let v: Vec<Vec3> = b
            .level_nodes()
            .iter()
            .map(|x| Vec3::y() * 0.02 * (x.x + 0.5).powi(2))
            .collect();
        b.set_state(&[], &v);
        let period = 2.0 * std::f64::consts::PI / asset.lowest_frequency;
        let mut energies = Vec::new();
        for _ in 0..8 {
            for _ in 0..4 {
                let nothing = BoundaryConditions::default();
                b.advance(FrameRequest::new(period / 4.0, &nothing))
                    .expect("advances");
            }
            energies.push(b.elastic_energy() + b.kinetic_energy_mid_step());
        }
        let decay = (energies[3] / energies[7]).ln() / (4.0 * 4.0 * std::f64::consts::PI);
        assert!((decay / zeta - 1.0).abs() < 0.1, "{rule:?} {decay}");

        let free = baked_block(SIDES, &[[2, 2, 3]], zeta, None);
        let mut b = model(&free, params);
        let x: Vec<Vec3> = b.level_nodes().iter().map(bent).collect();
        let v: Vec<Vec3> = x.iter().map(|x| Vec3::new(1.0, x.z, -2.0 * x.x)).collect();
        b.set_state(&x, &v);
        let before = momenta(&b);
        frames(&mut b, &BoundaryConditions::default(), 30);
        let after = momenta(&b);
        assert!((after.0 - before.0).norm() < 1e-12 * before.0.norm());
        assert!((after.1 - before.1).norm() < 1e-12 * before.1.norm());
    }
}

#[test]
fn free_fall_gains_exactly_g_t() {
    let asset = baked_block(Vec3::repeat(0.3), &[[2, 2, 2]], 0.1, None);
    let mut b = body(&asset, 0, ElementModel::Green);
    let gravity = weight();
    let mut report = frame(&mut b, &gravity);
    for _ in 1..30 {
        report = frame(&mut b, &gravity);
    }
    for v in b.level_velocities() {
        assert!((v.y + 9.81 * 0.5).abs() < 1e-10 && v.xz().norm() < 1e-10);
    }
    // the velocities of the scheme lead those of a start at rest by half a step: a constant energy of m (g Δt / 2)² / 2
    let energy = report.energy.expect("has an energy");
    let step = FRAME / f64::from(report.substeps);
    let lead = 0.125 * 27.0 * (9.81 * step).powi(2);
    assert!((energy.balance() - lead).abs() < 1e-9 * energy.scale());
}

#[test]
fn an_undamped_swing_keeps_its_energy_and_a_damped_one_accounts_for_it() {
    for (nodes, zeta) in [(27, 0.0), (57, 0.0), (137, 0.0), (57, 0.05)] {
        let size = Vec3::repeat(1.0);
        let mesh = box_with_about(size, nodes);
        let wall = wall_nodes(&mesh, size);
        let mut b = AdaptiveModel::from_tets(mesh, cube_material(zeta), &wall, ElementModel::Green)
            .expect("simulates");
        let gravity = weight();
        let (mut worst, mut kinetic) = (0.0_f64, 0.0_f64);
        let mut lost = 0.0;
        for _ in 0..180 {
            let e = frame(&mut b, &gravity).energy.expect("has an energy");
            worst = worst.max(e.balance().abs());
            kinetic = kinetic.max(e.kinetic);
            assert!(e.dissipated >= lost, "damping only takes");
            lost = e.dissipated;
        }
        assert!(worst < 0.025 * kinetic, "{nodes} {zeta}: {worst} {kinetic}");
        assert_eq!(lost > 0.3 * kinetic, zeta > 0.0);
    }
}

#[test]
fn a_spinning_cube_keeps_its_angular_velocity() {
    let asset = baked_block(Vec3::repeat(1.0), &[[2, 2, 2]], 0.2, None);
    let mut b = body(&asset, 0, ElementModel::Green);
    let spin = Vec3::new(0.0, 2.0, 0.0);
    let v: Vec<Vec3> = b.level_nodes().iter().map(|x| spin.cross(x)).collect();
    b.set_state(&[], &v);
    frames(&mut b, &BoundaryConditions::default(), 60);
    let turned = Rotation3::from_scaled_axis(spin);
    for (x, rest) in b.level_positions().iter().zip(b.level_nodes()) {
        // the spin stretches the cube by up to s = ρ ω² r² / E = 0.2 %, and a wider cube turns slower: s + 2 s ω t with ω t = 2
        assert!((x - turned * rest).norm() < 0.01 * rest.norm().max(0.1));
    }
}

/// A body of 4,374 tetrahedra, enough for several threads, held below, pulled at a corner.
fn pulled(frames: usize) -> AdaptiveModel {
    let asset = baked_block(
        Vec3::repeat(1.0),
        &[[2, 2, 2], [9, 9, 9]],
        0.05,
        Some(Selection::Lowest(0.01)),
    );
    let mut b = body(&asset, 1, ElementModel::Green);
    let corner = nearest(b.surface(), Vec3::repeat(0.5));
    let at = b.surface().positions[corner as usize] + Vec3::new(0.05, 0.02, 0.0);
    let boundary = with_weight([DisplacementConstraint::held(corner, at)]);
    for _ in 0..frames {
        frame(&mut b, &boundary);
    }
    b
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    let with = |threads: usize| on_threads(threads, || pulled(2).snapshot());
    let one = with(1);
    assert_eq!(one, with(2));
    assert_eq!(one, with(8));
}

#[test]
fn a_restored_body_continues_to_the_same_bits() {
    let mut b = pulled(2);
    let boundary = weight();
    let saved = b.snapshot();
    let first: Vec<_> = (0..3).map(|_| frame(&mut b, &boundary)).collect();
    let end = b.snapshot();
    b.restore(&saved).expect("same model");
    assert_eq!(b.snapshot(), saved);
    let second: Vec<_> = (0..3).map(|_| frame(&mut b, &boundary)).collect();
    assert_eq!(first, second);
    assert_eq!(b.snapshot(), end);
    let mut other = saved.clone();
    other.values.pop();
    assert!(b.restore(&other).is_err());
    other = saved.clone();
    other.kind = "lattice";
    assert!(b.restore(&other).is_err());
    b.reset();
    assert_eq!(b.level_positions(), b.level_nodes());
}

#[test]
fn an_impossible_pull_is_reported_and_the_last_good_state_kept() {
    let mut b = pulled(1);
    let before = b.level_positions().to_vec();
    let top = nearest(b.surface(), Vec3::y() * 0.5);
    let far = DisplacementConstraint::held(top, Vec3::y() * 1e9).moving(Vec3::y() * 1e9 / FRAME);
    let error = b
        .advance(FrameRequest::new(FRAME, &constrained([far])))
        .expect_err("diverges");
    assert_eq!(error.code(), "Diverged");
    assert!(error.to_string().contains("skin vertex"), "{error}");
    assert_eq!(b.level_positions(), before);
    frame(&mut b, &BoundaryConditions::default());
}

#[test]
fn a_frame_that_fails_leaves_the_energy_as_it_was() {
    let asset = baked_block(SIDES, &[[2, 2, 3]], 0.05, None);
    let mut b = body(&asset, 0, ElementModel::Green);
    let velocities = vec![Vec3::x(); b.level_nodes().len()];
    b.set_state(&[], &velocities);
    frame(&mut b, &BoundaryConditions::default());
    let before = b.kinetic_energy_mid_step();
    // the square of this speed overflows
    let far = Vec3::y() * 1e300;
    let pull = DisplacementConstraint::held(0, far).moving(far / FRAME);
    let error = b.advance(FrameRequest::new(FRAME, &constrained([pull])));
    assert_eq!(error.expect_err("diverges").code(), "Diverged");
    // forces at the state before the frame
    b.node_forces();
    let after = b.kinetic_energy_mid_step();
    assert!(
        (after / before - 1.0).abs() < 1e-9,
        "{after} J of {before} J"
    );
}

#[test]
fn a_crushed_green_body_recovers() {
    let asset = baked_block(Vec3::repeat(1.0), &[[3, 3, 3]], 0.1, None);
    let params = AdaptiveParams::default().with(|p| p.level = LevelChoice::Index(0));
    let mut b = model(&asset, params);
    // compressed to a twentieth, and partly inverted
    let x: Vec<Vec3> = b
        .level_nodes()
        .iter()
        .map(|x| Vec3::new(x.x, 0.05 * x.y + 0.02 * (7.0 * x.x).sin(), x.z))
        .collect();
    b.set_state(&x, &[]);
    frames(&mut b, &BoundaryConditions::default(), 240);
    let spread = |x: &[Vec3]| {
        let low = x.iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
        let high = x.iter().map(|x| x.y).fold(f64::NEG_INFINITY, f64::max);
        high - low
    };
    assert!((spread(b.level_positions()) - 1.0).abs() < 0.05);
}

#[test]
fn a_body_far_too_stiff_for_explicit_steps_is_refused_at_once() {
    let mut material = cube_material(0.0);
    material.elastic.young = 1e20;
    let asset = baked(&block(Vec3::repeat(1.0), &[[3, 3, 3]], material, None));
    let mut b = body(&asset, 0, ElementModel::Green);
    let error = b
        .advance(FrameRequest::new(FRAME, &BoundaryConditions::default()))
        .expect_err("refused");
    assert!(error.to_string().contains("steps a frame"), "{error}");
}
