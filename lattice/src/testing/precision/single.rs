//! Single precision against double.

use std::sync::Arc;

use pliant_core::asset::BodyGeometry;
use pliant_core::boundary::BoundaryConditions;
use pliant_core::inspect::{Inspect, QuantityBuffer};
use pliant_core::math::Vec3;
use pliant_core::mesh::VoxelGrid;
use pliant_core::model::DeformableModel;

use crate::testing::bodies::{
    Random, ball, body_of, grid_of, model_of, momenta, run, shapes, slit, undamped,
};
use crate::{LatticeModel, LatticeParams, Precision};

fn single(params: &LatticeParams) -> LatticeParams {
    params.clone().in_precision(Precision::Single)
}

fn disturb(model: &mut LatticeModel) {
    let mut random = Random(8);
    let x: Vec<Vec3> = model.x.iter().map(|x| x + random.vector() * 0.01).collect();
    let v: Vec<Vec3> = x
        .iter()
        .map(|x| x.cross(&Vec3::new(1.0, 3.0, -2.0)) + random.vector() * 0.3)
        .collect();
    model.set_state(&x, &v);
}

/// Firm above, soft below.
fn weighted(geometry: &BodyGeometry) -> Arc<[f64]> {
    let factor = |x: &Vec3| 2.0 + 1.5 * (30.0 * x.y + 7.0 * x.x).sin();
    geometry.skin.positions.iter().map(factor).collect()
}

#[test]
fn a_frame_is_that_of_double_precision() {
    for (name, grid) in shapes() {
        for w in [1, 2, 3, 5] {
            for zeta in [0.0, 0.02, 0.5] {
                for stiffness in [None, Some(weighted(&body_of(grid.clone(), 0.1)))] {
                    compare_a_frame(name, &grid, w, zeta, stiffness);
                }
            }
        }
    }
}

#[test]
fn a_frame_of_a_large_painted_body_is_that_of_double_precision() {
    for (name, grid) in [
        ("large box", grid_of([12, 11, 20], |_| true)),
        ("large ball", ball(7.0, 0.0)),
        ("large shell", ball(9.0, 7.8)),
        ("large slit block", slit([14, 12, 11], 9)),
    ] {
        for w in [1, 2, 4] {
            let stiffness = weighted(&body_of(grid.clone(), 0.1));
            compare_a_frame(name, &grid, w, 0.2, Some(stiffness));
        }
    }
}

fn compare_a_frame(
    name: &str,
    grid: &VoxelGrid,
    w: usize,
    zeta: f64,
    stiffness: Option<Arc<[f64]>>,
) {
    let geometry = body_of(grid.clone(), 0.1);
    let params = undamped(w, 0.8, 6)
        .damped(zeta)
        .with(|p| p.stiffness = stiffness);
    let mut double = model_of(&geometry, &params);
    let mut fast = model_of(&geometry, &single(&params));
    assert!(fast.fast.is_some() && double.fast.is_none());
    disturb(&mut double);
    disturb(&mut fast);
    let gravity = BoundaryConditions::with_gravity(Vec3::new(1.0, -9.81, 0.5));
    let a = run(&mut double, 1, &gravity).expect("stable");
    let b = run(&mut fast, 1, &gravity).expect("stable");
    // a step adds about 1e-6 of a cell of 0.05 m
    let worst = |a: &[Vec3], b: &[Vec3]| {
        let distances = a.iter().zip(b).map(|(a, b)| (a - b).amax());
        distances.fold(0.0, f64::max)
    };
    let off = worst(&double.x, &fast.x);
    assert!(off < 1e-6, "{name} w={w} {zeta}: {off:e} m");
    let off = worst(&double.v, &fast.v);
    assert!(off < 2e-4, "{name} w={w} {zeta}: {off:e} m/s");
    let (a, b) = (a.energy.expect("given"), b.energy.expect("given"));
    let scale = a.kinetic + a.elastic + a.dissipated;
    for (a, b) in [
        (a.kinetic, b.kinetic),
        (a.elastic, b.elastic),
        (a.dissipated, b.dissipated),
    ] {
        assert!((a - b).abs() < 1e-4 * scale, "{name} w={w} {zeta}: {a} {b}");
    }
}

#[test]
fn free_bodies_keep_both_momenta_to_single_precision() {
    let geometry = body_of(ball(4.0, 0.0), -1.0);
    for zeta in [0.0, 0.1] {
        let params = single(&undamped(1, 0.8, 10).damped(zeta));
        let mut model = model_of(&geometry, &params);
        disturb(&mut model);
        let before = momenta(&model);
        let scale: f64 = (model.v.iter().zip(&model.asset.mass))
            .map(|(v, m)| m * v.norm())
            .sum();
        run(&mut model, 100, &BoundaryConditions::default()).expect("stable");
        let after = momenta(&model);
        let drift = (after[0] - before[0]).norm() / scale;
        assert!(drift < 1e-4, "{zeta}: {drift:e} in 1000 steps");
        let drift = (after[1] - before[1]).norm() / before[1].norm();
        assert!(drift < 1e-4, "{zeta}: {drift:e} in 1000 steps");
    }
}

#[test]
fn a_body_without_energy_accounting_moves_like_one_with_it() {
    for (name, grid) in shapes() {
        for zeta in [0.0, 0.3] {
            let geometry = body_of(grid.clone(), 0.1);
            let params = single(&undamped(2, 0.8, 6).damped(zeta));
            let mut accounted = model_of(&geometry, &params);
            let params = params.with(|p| p.energy_accounting = Some(false));
            let mut unaccounted = model_of(&geometry, &params);
            disturb(&mut accounted);
            disturb(&mut unaccounted);
            let gravity = BoundaryConditions::with_gravity(Vec3::new(1.0, -9.81, 0.5));
            let with = run(&mut accounted, 3, &gravity).expect("stable");
            let without = run(&mut unaccounted, 3, &gravity).expect("stable");
            assert!(with.energy.is_some() && without.energy.is_none());
            for p in 0..accounted.x.len() {
                let off = (accounted.x[p] - unaccounted.x[p]).amax();
                assert!(off < 3e-6, "{name} {zeta} particle {p}: {off:e} m");
            }
            // rotations are those of the last step, which takes 2.8 ms: the random velocities rotate regions by up to 15 rad/s
            for (quantity, most) in [("goal_offset", 1e-5), ("region_rotation", 0.04)] {
                let sample = |model: &LatticeModel| {
                    let mut out = QuantityBuffer::default();
                    model.sample_quantity(quantity, &mut out).expect("known");
                    out.scalars
                };
                for (a, b) in sample(&accounted).iter().zip(sample(&unaccounted)) {
                    assert!((a - b).abs() < most, "{name} {quantity}: {a} {b}");
                }
            }
            // bits of a restored state, and of a frame that was taken back
            let snapshot = unaccounted.snapshot();
            run(&mut unaccounted, 2, &gravity).expect("stable");
            let expected = unaccounted.snapshot();
            unaccounted.restore(&snapshot).expect("its own");
            run(&mut unaccounted, 1, &gravity).expect("stable");
            let first = unaccounted.snapshot();
            run(&mut unaccounted, 1, &gravity).expect("stable");
            assert_eq!(unaccounted.snapshot(), expected, "{name}");
            unaccounted.restore_last_good();
            assert_eq!(
                unaccounted.snapshot().values[1..],
                first.values[1..],
                "{name}"
            );
            let energy_accounting = accounted.stats().bytes - accounted.asset.bytes();
            let less = unaccounted.stats().bytes - unaccounted.asset.bytes();
            assert!(
                2 * less < energy_accounting,
                "{less} of {energy_accounting} bytes"
            );
        }
    }
}
