//! Bodies of different assets in one group.

use std::sync::Arc;

use pliant_contact::{BodyGroup, GroupOptions};
use pliant_core::asset::BodyGeometry;
use pliant_core::contact::Pose;
use pliant_core::math::Vec3;
use pliant_core::model::OwnContact;

use crate::testing::bodies::{baked, body_of, grid_of, momenta, same_on_threads};
use crate::testing::groups::bodies::{center, floor, goes_on, params, run, throw};
use crate::{LatticeModel, Precision};

/// m
const CELLS: [f64; 2] = [0.05, 0.02];
/// kg
const MASSES: [f64; 2] = [5.0 * 3.0 * 5.0 * 0.125, 27.0 * 8e-6 * 200.0];
/// steps a frame, and Young's moduli that differ
const STEPS: [u32; 2] = [12, 10];

/// A block of 5 x 3 x 5 cells of 5 cm, 1000 kg/m³, and a cube of 3 cells of 2 cm, 200 kg/m³.
fn geometry(kind: usize) -> BodyGeometry {
    let mut grid = grid_of([[5, 3, 5], [3; 3]][kind], |_| true);
    grid.origin *= CELLS[kind] / grid.cell;
    grid.cell = CELLS[kind];
    let mut body = body_of(grid, -1.0);
    body.material.density = [1000.0, 200.0][kind];
    body
}

/// The block and so many cubes, each in its place.
fn group_of(
    places: &[Vec3],
    precision: Precision,
    zeta: f64,
    options: GroupOptions,
) -> BodyGroup<LatticeModel> {
    let assets = [0, 1].map(|kind| {
        let params = params(precision, zeta).with(|p| p.steps = Some(STEPS[kind]));
        (Arc::new(baked(&geometry(kind), &params)), params)
    });
    let models = (0..places.len()).map(|k| {
        let (asset, params) = &assets[k.min(1)];
        LatticeModel::new(Arc::clone(asset), params).expect("a model")
    });
    let models = models.collect();
    let homes = places.iter().map(|x| Pose::at(*x)).collect();
    BodyGroup::new(models, homes, options)
}

fn momentum(model: &LatticeModel) -> Vec3 {
    momenta(model)[0]
}

#[test]
fn momentum_that_one_kind_gains_the_other_loses() {
    let at = [Vec3::zeros(), Vec3::new(0.01, 0.14, -0.02)];
    // what settles and what falls asleep loses momentum
    let free = GroupOptions {
        settling: 0.0,
        sleeping: false,
        ..GroupOptions::default()
    };
    let mut group = group_of(&at, Precision::Double, 0.0, free);
    for (model, mass) in group.models().iter().zip(MASSES) {
        let own: f64 = model.asset().mass.iter().sum();
        assert!((own / mass - 1.0).abs() < 1e-9, "{own} {mass}");
    }
    throw(&mut group, &[Vec3::zeros(), Vec3::new(0.2, -2.0, 0.1)]);
    let before = group.models().iter().map(momentum).sum::<Vec3>();
    let mut pushed = 0.0_f64;
    for _ in 0..40 {
        // as many steps as the one that needs most
        assert_eq!(run(&mut group, 1, 0.0), STEPS[0]);
        let each: Vec<Vec3> = group.models().iter().map(momentum).collect();
        let off = (each[0] + each[1] - before).norm();
        assert!(off < 1e-9 * before.norm(), "{off}");
        pushed = pushed.max(each[0].norm() / before.norm());
    }
    assert!(pushed > 0.9, "the block takes {pushed} of the momentum");
    assert!(
        momentum(&group.models()[1]).y > -0.05 * before.norm(),
        "it went through"
    );
}

#[test]
fn small_light_bodies_rest_on_a_large_heavy_one_and_all_fall_asleep() {
    for precision in [Precision::Double, Precision::Single] {
        let at = [
            Vec3::new(0.0, 0.08, 0.0),
            Vec3::new(0.03, 0.2, -0.02),
            Vec3::new(-0.06, 0.19, 0.04),
        ];
        let mut group = group_of(&at, precision, 0.3, GroupOptions::default());
        group.set_tools(&[floor()]);
        run(&mut group, 300, 9.81);
        for (k, model) in group.models().iter().enumerate() {
            assert!(group.is_asleep(k), "{precision:?} {k}");
            let middle = [0.075, 0.18, 0.18][k];
            let off = center(model).y - middle;
            assert!(off.abs() < 0.1 * CELLS[1], "{precision:?} {k}: {off}");
        }
        let weights = MASSES.map(|m| 9.81 * m);
        for k in [1, 2] {
            let share = group.force_between(k, 0).y / weights[1];
            assert!((share - 1.0).abs() < 0.02, "{precision:?} {k}: {share}");
        }
        let carried = -group.wrenches()[0].force.y / (weights[0] + 2.0 * weights[1]);
        assert!((carried - 1.0).abs() < 0.01, "{precision:?} {carried}");
    }
}

#[test]
fn different_kinds_are_the_same_for_any_number_of_threads() {
    let at: Vec<Vec3> = (0..9)
        .map(|k| {
            let t = f64::from(k);
            Vec3::new(0.04 * (t * 2.0).sin(), 0.1 * t, 0.04 * t.cos())
        })
        .collect();
    same_on_threads("group", &[2, 8], || {
        let mut group = group_of(&at, Precision::Single, 0.3, GroupOptions::default());
        run(&mut group, 40, 9.81);
        goes_on(&mut group, 9.81)
    });
}
