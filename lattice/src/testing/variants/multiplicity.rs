//! Regions with the same particles that count once.

use std::collections::BTreeMap;
use std::sync::Arc;

use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::Vec3;

use crate::fracture::limits::Fracture;
use crate::testing::bodies::{
    baked, body_of, deform, energy_range, model_of, momenta, run, shapes, throw, undamped,
};
use crate::{LatticeAsset, LatticeModel, LatticeParams, Precision, key};

fn once(params: LatticeParams) -> LatticeParams {
    params.with(|p| p.regions_once = true)
}

fn sheared(x: &Vec3) -> Vec3 {
    Vec3::new(1.1 * x.x, x.y - 0.2 * x.x, 0.95 * x.z)
}

#[test]
fn sizes_and_masses_are_those_of_different_regions() {
    for (name, grid) in shapes() {
        let geometry = body_of(grid, -1.0);
        let asset = baked(&geometry, &once(undamped(2, 0.7, 4)));
        let members = |r: usize| -> Vec<usize> { asset.plan.members(r).collect() };
        // the regions as sets, each once, and how many of them hold each particle
        let sets: BTreeMap<Vec<usize>, usize> =
            (0..asset.region_count()).map(|r| (members(r), r)).collect();
        assert_eq!(sets.len(), asset.region_count(), "{name}");
        let mut around = vec![0_u32; asset.particle_count()];
        for p in sets.keys().flatten() {
            around[*p] += 1;
        }
        let sizes = asset
            .region_of
            .iter()
            .map(|&r| asset.region_size[r as usize]);
        assert!(sizes.eq(around.iter().copied()), "{name}");
        for (set, &r) in &sets {
            let share = |p: &usize| asset.mass[*p] / f64::from(around[*p]);
            let mass: f64 = set.iter().map(share).sum();
            assert!((asset.region_mass[r] / mass - 1.0).abs() < 1e-12, "{name}");
        }
        // a particle is drawn to the mean of its goals, and no less
        assert!(asset.pull.iter().all(|k| (k - 1.0).abs() < 1e-12), "{name}");
        assert_eq!(
            LatticeAsset::from_bytes(&asset.to_bytes()),
            Ok(asset.clone())
        );
        assert!(key(&geometry, &once(undamped(2, 0.7, 4))) != key(&geometry, &undamped(2, 0.7, 4)));
    }
}

#[test]
fn single_precision_moves_them_as_double_does() {
    for (name, grid) in shapes() {
        let geometry = body_of(grid, -1.0);
        let moved = |precision| {
            let params = once(undamped(2, 0.7, 4))
                .in_precision(precision)
                .damped(0.1);
            let mut model = model_of(&geometry, &params);
            assert_eq!(model.fast.is_some(), precision == Precision::Single);
            deform(&mut model, sheared);
            run(&mut model, 2, &BoundaryConditions::default()).expect("stable");
            model.positions().to_vec()
        };
        let (double, single) = (moved(Precision::Double), moved(Precision::Single));
        for (a, b) in double.iter().zip(&single) {
            assert!((a - b).amax() < 1e-6, "{name}: {a} {b}");
        }
    }
}

#[test]
fn such_bodies_keep_momentum_and_energy_but_move_otherwise() {
    for (name, grid) in shapes() {
        let geometry = body_of(grid, -1.0);
        let moved = |params: &LatticeParams| {
            let mut model = model_of(&geometry, params);
            throw(&mut model, sheared, |x| Vec3::new(x.y, -x.z, 0.4));
            let before = momenta(&model);
            let [least, most] = energy_range(&mut model, 20);
            for (now, then) in momenta(&model).iter().zip(before) {
                assert!((now - then).norm() < 1e-8 * then.norm(), "{name}");
            }
            assert!(most / least < 1.1, "{name} {least} {most}");
            model.positions().to_vec()
        };
        let each = moved(&undamped(2, 0.7, 6));
        let unique = moved(&once(undamped(2, 0.7, 6)));
        let apart = |(a, b): (&Vec3, &Vec3)| (a - b).norm();
        let largest = each.iter().zip(&unique).map(apart).fold(0.0, f64::max);
        // shapes whose regions all differ move to the same bits
        let asset = baked(&geometry, &undamped(2, 0.7, 6));
        let shared = asset.multiplicity.iter().any(|&k| k > 1);
        assert_eq!(largest > 1e-6, shared, "{name} {largest}");
    }
}

#[test]
fn a_body_that_can_break_is_refused() {
    let (_, grid) = shapes().swap_remove(0);
    let params = once(undamped(1, 0.5, 4)).breaking(Fracture::default());
    let asset = baked(&body_of(grid, -1.0), &params);
    let error = LatticeModel::new(Arc::new(asset), &params).map(|_| ());
    assert_eq!(error.map_err(|e| e.code()), Err("BadParameter".into()));
}
