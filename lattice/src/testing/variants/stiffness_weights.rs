//! Stiffness weights.

use std::sync::Arc;

use pliant_core::boundary::{BoundaryConditions, DisplacementConstraint};
use pliant_core::math::Vec3;
use pliant_core::model::DeformableModel;

use crate::testing::bodies::{
    asset_of, baked, ball, body_of, constrained, energy_range, grid_of, model_of, momenta, run,
    shapes, throw, undamped, vertices,
};
use crate::{LatticeAsset, LatticeModel, LatticeParams, RotationMethod, key};

/// A bar along y whose upper half is four times as stiff.
fn weighted(geometry: &pliant_core::asset::BodyGeometry, params: LatticeParams) -> LatticeParams {
    let factor = |x: &Vec3| if x.y > 0.0 { 4.0 } else { 1.0 };
    LatticeParams {
        stiffness: Some(geometry.skin.positions.iter().map(factor).collect()),
        ..params
    }
}

#[test]
fn a_bar_of_two_stiffnesses_stretches_where_it_is_soft() {
    let geometry = body_of(grid_of([4, 24, 4], |_| true), 0.02);
    let params = weighted(&geometry, LatticeParams::with_half_width(1).damped(0.7));
    let mut model = model_of(&geometry, &params);
    let top = geometry.skin.bounds().max.y;
    let held = vertices(&geometry.skin, |x| x.y > top - 1e-9).into_iter();
    let pulled = held.map(|v| {
        DisplacementConstraint::held(v, geometry.skin.positions[v as usize] + Vec3::y() * 0.012)
    });
    run(&mut model, 600, &constrained(pulled));
    // strain between layers of sites, away from the ends and the seam
    let height = |layer: u16| {
        let at = (0..model.asset.particle_count()).filter(|&p| model.asset.sites[p][1] == layer);
        let (mut sum, mut count) = (0.0, 0.0);
        for p in at {
            sum += model.x[p].y;
            count += 1.0;
        }
        sum / count
    };
    let strain = |from: u16, to: u16| {
        (height(to) - height(from)) / (f64::from(to - from) * model.asset.cell) - 1.0
    };
    let (soft, firm) = (strain(3, 9), strain(15, 21));
    assert!(
        soft > 0.0 && (soft / firm / 4.0 - 1.0).abs() < 0.01,
        "{soft} {firm}"
    );
    // the support feels the modulus of the softer half
    let area = (4.0 * model.asset.cell).powi(2);
    let force = -model.support_reactions()[0].y;
    let modulus = force / area / soft;
    let expected = geometry.material.elastic.young;
    assert!(
        (modulus / expected - 1.0).abs() < 0.02,
        "{modulus} {expected}"
    );
}

#[test]
fn painted_bodies_keep_momentum_energy_and_their_bytes() {
    let geometry = body_of(ball(3.0, 0.0), -1.0);
    let params = weighted(&geometry, undamped(2, 0.7, 6));
    let asset = baked(&geometry, &params);
    assert_eq!(
        LatticeAsset::from_bytes(&asset.to_bytes()),
        Ok(asset.clone())
    );
    assert!(key(&geometry, &params) != key(&geometry, &undamped(2, 0.7, 6)));
    let least = asset.stiffness_weights.iter().copied().fold(1.0, f64::min);
    assert!((least - 0.25).abs() < 1e-12 && asset.stiffest == 4.0);
    let mut model = LatticeModel::new(Arc::new(asset), &params).expect("a model");
    let sheared = |x: &Vec3| Vec3::new(1.2 * x.x, x.y - 0.3 * x.x, 0.9 * x.z);
    throw(&mut model, sheared, |x| Vec3::new(x.y, -x.z, 0.4));
    let before = momenta(&model);
    let [least, most] = energy_range(&mut model, 20);
    let after = momenta(&model);
    assert!((after[0] - before[0]).norm() < 1e-10 * before[0].norm());
    assert!((after[1] - before[1]).norm() < 1e-8 * before[1].norm());
    assert!(most / least < 1.1, "{least} {most}");
}

#[test]
fn one_factor_everywhere_is_another_modulus() {
    let geometry = body_of(grid_of([3, 3, 3], |_| true), -1.0);
    let params = LatticeParams {
        stiffness: Some(vec![3.0; geometry.skin.vertex_count()].into()),
        ..LatticeParams::with_half_width(1)
    };
    let model = model_of(&geometry, &params);
    let expected = 3.0 * geometry.material.elastic.young;
    assert!((model.calibration().young / expected - 1.0).abs() < 1e-9);
    assert!(model.asset.pull.iter().all(|k| (k - 1.0).abs() < 1e-12));
}

#[test]
fn the_papers_rotations_move_a_body_as_newtons_do() {
    for (name, grid) in shapes() {
        let asset = Arc::new(asset_of(&grid, 2));
        let moved = |rotation: RotationMethod| {
            let params = LatticeParams {
                rotation,
                precision: Some(crate::Precision::Double),
                ..undamped(2, 0.6, 4)
            };
            let mut model = LatticeModel::new(Arc::clone(&asset), &params).expect("a model");
            let sheared = |x: &Vec3| Vec3::new(1.2 * x.x, x.y - 0.2 * x.z, 0.9 * x.z);
            throw(&mut model, sheared, |x| Vec3::new(x.y, -3.0 * x.z, 0.4));
            run(&mut model, 10, &BoundaryConditions::default());
            let jacobi = model.matching.jacobi.clone();
            (model.x, jacobi.map_or(0.0, |j| j.sweeps_per_solve()))
        };
        let (newton, none) = moved(RotationMethod::Newton);
        let (cold, cold_sweeps) = moved(RotationMethod::JacobiCold);
        let (warm, warm_sweeps) = moved(RotationMethod::JacobiWarm);
        assert!(
            none == 0.0 && cold_sweeps > 1.0 && warm_sweeps < cold_sweeps,
            "{name}"
        );
        for ((a, b), c) in newton.iter().zip(&cold).zip(&warm) {
            assert!((a - b).norm() < 1e-6 && (a - c).norm() < 1e-6, "{name}");
        }
    }
}
