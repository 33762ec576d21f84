//! Laws of multirate stepping: energy, momenta, and the limit of one rate.

use std::sync::Arc;

use pliant_adaptive::cut::{Cut, Momentum, NodeState};
use pliant_adaptive::params::{ForceKernel, Precision};
use pliant_adaptive::step::multirate::CutDynamics;
use pliant_adaptive::{AdaptiveParams, DampingRule, ElementModel};
use pliant_core::material::Damping;
use pliant_core::math::Vec3;
use pliant_core::mesh::procedural::{CellStyle, box_tets};
use pliant_core::scene::Selection;

use crate::bodies::{FRAME, GRAVITY, With, baked, bent, block, body, cube_material, left_of};
use crate::cut::cuts::{
    Dice, dynamics, green, momentum, refine_a_half, set_by_rest, step_frame, three_levels,
    total_energy,
};

/// Relative changes of linear and angular momentum.
fn relative_change(before: &Momentum, after: &Momentum) -> (f64, f64) {
    let share = |a: Vec3, b: Vec3| (b - a).norm() / a.norm();
    (
        share(before.linear, after.linear),
        share(before.angular, after.angular),
    )
}

#[test]
fn one_level_at_one_rate_equals_single_rate_stepping() {
    // all tetrahedra are alike
    let mesh = box_tets(Vec3::repeat(1.0), [3, 3, 3], CellStyle::Kuhn);
    let mut geometry = block(
        Vec3::repeat(1.0),
        &[[3, 3, 3]],
        cube_material(0.0),
        Some(Selection::Lowest(0.01)),
    );
    geometry.levels = vec![Arc::new(mesh)];
    let asset = baked(&geometry);
    for kernel in [ForceKernel::Reference, ForceKernel::Fast] {
        let mut b = dynamics(&asset, kernel);
        let mut plain = body(&asset, 0, ElementModel::Green);
        let start: Vec<Vec3> = plain
            .level_nodes()
            .iter()
            .map(|x| x + (bent(x) - x) * 0.05)
            .collect();
        b.set_state(|n| (start[n as usize], Vec3::zeros()));
        plain.set_state(&start, &[]);
        let plain = plain.dynamics_mut();
        plain.evaluate();
        for _ in 0..5 {
            let totals = step_frame(&mut b, GRAVITY);
            assert_eq!(b.groups().len(), 1);
            let parts = b.steps().parts();
            let step = FRAME / f64::from(parts) / f64::from(totals.ticks / parts);
            for _ in 0..parts {
                plain.kick(0.5 * step, &GRAVITY);
                for _ in 1..totals.ticks / parts {
                    plain.drift(step);
                    plain.evaluate();
                    plain.kick(step, &GRAVITY);
                }
                plain.drift(step);
                plain.evaluate();
                plain.kick(0.5 * step, &GRAVITY);
            }
            if kernel == ForceKernel::Fast {
                assert_eq!(b.positions(), plain.positions.as_slice());
                assert_eq!(b.velocities(), plain.velocities.as_slice());
            } else {
                for (x, y) in b.positions().iter().zip(&plain.positions) {
                    assert!((x - y).norm() < 1e-12);
                }
            }
        }
    }
}

#[test]
fn mixed_levels_and_rates_keep_energy_and_momenta() {
    let asset = three_levels(None);
    for (strain, bound) in [(0.03, 0.01), (0.25, 0.05)] {
        let mut b = dynamics(&asset, ForceKernel::Fast);
        refine_a_half(&mut b);
        let spin = Vec3::new(0.5, 1.5, -0.7);
        set_by_rest(&mut b, |x| {
            let stretched = Vec3::new(
                x.x * (1.0 + strain) + 0.3 * strain * x.y,
                x.y * (1.0 - 0.4 * strain),
                x.z * (1.0 - 0.4 * strain) + 0.2 * strain * x.x,
            );
            (stretched, spin.cross(&stretched) + Vec3::new(0.3, 0.1, 0.0))
        });
        let before = momentum(&b);
        let start = total_energy(&b);
        let (mut low, mut high) = (start, start);
        for k in 0..240 {
            step_frame(&mut b, Vec3::zeros());
            if k == 0 {
                assert!(b.groups().len() > 1, "more than one rate");
            }
            let e = total_energy(&b);
            low = low.min(e);
            high = high.max(e);
        }
        assert!(
            low > (1.0 - bound) * start && high < (1.0 + bound) * start,
            "strain {strain}: {low} to {high} of {start}"
        );
        let after = momentum(&b);
        let (linear, angular) = relative_change(&before, &after);
        assert!(linear < 1e-11 && angular < 1e-11, "{linear} {angular}");
    }
}

#[test]
fn rates_follow_the_size_of_elements_and_save_work() {
    let asset = three_levels(None);
    let mut mixed = dynamics(&asset, ForceKernel::Fast);
    refine_a_half(&mut mixed);
    mixed.prepare_frame(FRAME, &[], f64::INFINITY);
    let work = step_frame(&mut mixed, Vec3::zeros()).evaluations;
    let deepest = mixed.groups().last().map_or(0, |g| g.level());
    let fastest = u64::from(mixed.steps().parts()) << deepest;
    let all = mixed.cut().evaluated().count() as u64 * fastest;
    assert!(work < all, "{work} {all}");
    let mut fine = dynamics(&asset, ForceKernel::Fast);
    fine.change_cut(|cut| *cut = Cut::at_level(cut.forest().clone(), 2));
    let full = step_frame(&mut fine, Vec3::zeros()).evaluations;
    assert!(2 * work < full, "{work} of {full}");
}

#[test]
fn free_fall_gains_exactly_g_t_on_any_cut() {
    let asset = three_levels(None);
    let mut b = dynamics(&asset, ForceKernel::Fast);
    refine_a_half(&mut b);
    for _ in 0..30 {
        step_frame(&mut b, GRAVITY);
    }
    for &n in b.operators().active() {
        let v = b.velocities()[n as usize];
        assert!((v - GRAVITY * 0.5).norm() < 1e-10, "{v:?}");
    }
}

#[test]
fn lane_forces_of_a_cut_agree_with_the_reference_kernel() {
    let asset = three_levels(Some(Selection::Lowest(0.01)));
    let run = |kernel, precision| {
        let params = AdaptiveParams::default()
            .with(|p| p.kernel = kernel)
            .with(|p| p.precision = precision);
        let mut b = green(&asset, Damping::Ratio(0.05), &params);
        refine_a_half(&mut b);
        for _ in 0..4 {
            step_frame(&mut b, GRAVITY);
        }
        b.positions().to_vec()
    };
    let right = run(ForceKernel::Reference, Precision::F64);
    for (precision, bound) in [(Precision::F64, 1e-12), (Precision::F32, 1e-6)] {
        let found = run(ForceKernel::Fast, precision);
        for (x, y) in found.iter().zip(&right) {
            assert!((x - y).norm() < bound, "{precision:?} {}", (x - y).norm());
        }
    }
}

/// A free spinning body, random splits and merges every 20 frames.
fn spin(frames: usize) -> (CutDynamics, f64, f64, usize) {
    let asset = three_levels(None);
    let mut b = dynamics(&asset, ForceKernel::Fast);
    refine_a_half(&mut b);
    let forest = b.cut().forest().clone();
    let turn = Vec3::new(0.5, 1.5, -0.7);
    set_by_rest(&mut b, |x| {
        let x = x.component_mul(&Vec3::new(1.05, 0.97, 1.0));
        (x, turn.cross(&x) + Vec3::new(0.3, 0.1, 0.0))
    });
    let start = total_energy(&b);
    let (mut highest, mut changes) = (start, 0);
    let mut dice = Dice(9);
    for frame in 0..frames {
        if frame % 20 == 19 {
            b.change_cut(|cut| {
                for _ in 0..6 {
                    let n = dice.below(forest.node_count()) as u32;
                    match cut.state(n) {
                        NodeState::Active => changes += cut.split(n).len(),
                        NodeState::Refined => changes += usize::from(cut.merge(n)),
                        NodeState::Dormant => {}
                    }
                }
                // most nodes are fine: additional merges balance the splits
                for n in 0..forest.node_count() as u32 {
                    if cut.active_count() > 150 && cut.can_merge(n) && dice.below(2) == 0 {
                        changes += usize::from(cut.merge(n));
                    }
                }
            });
        }
        step_frame(&mut b, Vec3::zeros());
        highest = highest.max(total_energy(&b));
    }
    (b, start, highest, changes)
}

#[test]
fn random_splits_and_merges_keep_momenta_and_never_add_energy() {
    let (fresh, ..) = spin(0);
    let before = momentum(&fresh);
    let frames = std::env::var("PLIANT_LONG_SPIN").map_or(300, |n| n.parse().unwrap_or(300));
    let (b, start, highest, changes) = spin(frames);
    assert!(changes > 10);
    let (linear, angular) = relative_change(&before, &momentum(&b));
    assert!(linear < 1e-9 && angular < 1e-9, "{linear} {angular}");
    assert!(highest < 1.01 * start, "{highest} of {start}");
}

#[test]
fn a_damped_swing_on_a_cut_accounts_for_its_energy() {
    let support = left_of(-0.499);
    let asset = three_levels(Some(support));
    for rule in [DampingRule::Strain, DampingRule::Rayleigh] {
        let params = AdaptiveParams::default()
            .with(|p| p.damping_rule = rule)
            .with(|p| p.recover = false);
        let mut b = green(&asset, Damping::Ratio(0.05), &params);
        refine_a_half(&mut b);
        let (mut taken, mut worst, mut scale) = (0.0, 0.0_f64, 0.0_f64);
        for _ in 0..240 {
            taken += step_frame(&mut b, GRAVITY).dissipated;
            let [kinetic, elastic, potential] = [
                b.kinetic_energy(),
                b.elastic_energy(),
                b.potential_energy(&GRAVITY),
            ];
            worst = worst.max((kinetic + elastic + potential + taken).abs());
            scale = scale.max(potential.abs());
        }
        assert!(taken > 0.1 * scale, "it is damped");
        assert!(worst < 0.03 * scale, "{rule:?}: {worst} of {scale}");
    }
}

#[test]
fn new_nodes_start_relaxed_and_keep_the_motion() {
    let support = left_of(-0.499);
    let asset = three_levels(Some(support));
    let mut b = dynamics(&asset, ForceKernel::Fast);
    // bent far down and still moving
    set_by_rest(&mut b, |x| {
        let s = x.x + 0.5;
        (x - Vec3::y() * 0.15 * s * s, -Vec3::y() * 1.5 * s * s)
    });
    let (elastic, kinetic) = (b.elastic_energy(), b.kinetic_energy());
    refine_a_half(&mut b);
    let (after, left) = (b.elastic_energy(), b.kinetic_energy());
    assert!(
        after < 1.01 * elastic && after > 0.9 * elastic,
        "{after} of {elastic}"
    );
    // with masses lumped on two cells an edge the motion has a tenth more kinetic energy than on the finer nodes
    assert!(
        left > 0.8 * kinetic && after + left < 1.001 * (elastic + kinetic),
        "{left} of {kinetic}, {after} of {elastic}"
    );
}
