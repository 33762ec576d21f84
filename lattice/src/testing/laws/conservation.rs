//! Rigid motions, momentum, where a body is, which way it lies.

use nalgebra::Rotation3;
use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::VoxelGrid;
use pliant_core::model::{DeformableModel, FrameRequest};

use crate::step::goal::goal;
use crate::testing::bodies::{
    Random, ball, body_of, deform, grid_of, model_of, momenta, run, shapes, u_bar, undamped,
};
use crate::{LatticeModel, LatticeParams};

/// goals in world coordinates at the present positions
fn goals(model: &mut LatticeModel) -> Vec<Vec3> {
    for _ in 0..3 {
        model.match_shapes(true);
    }
    model
        .matching
        .sum_transforms(&model.asset, &model.summation);
    (0..model.x.len())
        .map(|p| model.center + goal(&model.asset, &model.matching.transform_sums, p))
        .collect()
}

#[test]
fn a_rigid_motion_is_its_own_goal() {
    let rotation = Rotation3::from_euler_angles(0.7, -0.4, 2.1);
    for (name, grid) in shapes() {
        for w in [1, 2, 3] {
            let mut model = model_of(&body_of(grid.clone(), -1.0), &undamped(w, 1.0, 10));
            deform(&mut model, |x| rotation * x + Vec3::new(3.0, -2.0, 1.0));
            let moved = model.x.clone();
            for (g, x) in goals(&mut model).iter().zip(&moved) {
                assert!((g - x).norm() < 1e-12, "{name} w={w} {:e}", (g - x).norm());
            }
        }
    }
}

#[test]
fn goals_of_any_state_keep_centre_and_angular_moment() {
    for (name, grid) in shapes() {
        for w in [1, 2] {
            let mut model = model_of(&body_of(grid.clone(), -1.0), &undamped(w, 1.0, 10));
            let mut random = Random(3);
            deform(&mut model, |x| x + random.vector() * 0.02);
            let noisy = model.x.clone();
            let goals = goals(&mut model);
            let (mut force, mut torque, mut scale) = (Vec3::zeros(), Vec3::zeros(), 0.0);
            for ((g, x), m) in goals.iter().zip(&noisy).zip(&model.asset.mass) {
                force += (g - x) * *m;
                torque += x.cross(&(g - x)) * *m;
                scale += m * (g - x).norm();
            }
            assert!(
                force.norm() < 1e-12 * scale,
                "{name} {:e}",
                force.norm() / scale
            );
            assert!(
                torque.norm() < 1e-12 * scale,
                "{name} {:e}",
                torque.norm() / scale
            );
        }
    }
}

#[test]
fn free_bodies_keep_both_momenta_damped_or_not() {
    for (name, grid) in [("ball", ball(3.0, 0.0)), ("fork", u_bar(1))] {
        for zeta in [0.0, 0.05, 0.5] {
            let geometry = body_of(grid.clone(), -1.0);
            let params = undamped(2, 0.8, 6).damped(zeta);
            let mut model = model_of(&geometry, &params);
            let mut random = Random(8);
            let x: Vec<Vec3> = model.x.iter().map(|x| x + random.vector() * 0.01).collect();
            let v: Vec<Vec3> = x
                .iter()
                .map(|x| x.cross(&Vec3::new(1.0, 3.0, -2.0)) + random.vector())
                .collect();
            model.set_state(&x, &v);
            let before = momenta(&model);
            run(&mut model, 10, &BoundaryConditions::default()).expect("stable");
            let after = momenta(&model);
            let scale: f64 = v
                .iter()
                .zip(&model.asset.mass)
                .map(|(v, m)| m * v.norm())
                .sum();
            let drift = (after[0] - before[0]).norm() / scale;
            assert!(drift < 1e-12, "{name} {zeta}: {drift:e}");
            let drift = (after[1] - before[1]).norm() / before[1].norm();
            assert!(drift < 1e-10, "{name} {zeta}: {drift:e}");
        }
    }
}

/// a body with noise on it after half a second, relative to where it began
fn perturbed_motion(grid: VoxelGrid, map: &Mat3, shift: &Vec3) -> Vec<Vec3> {
    let mut model = model_of(&body_of(grid, -1.0), &LatticeParams::default());
    deform(&mut model, |x| {
        let rest = map.transpose() * (x - shift);
        let bent = rest + Vec3::new(0.2 * rest.y * rest.z, 0.3 * rest.x * rest.x, -0.1 * rest.x);
        map * bent + shift
    });
    run(&mut model, 30, &BoundaryConditions::default()).expect("stable");
    model
        .x
        .iter()
        .map(|x| map.transpose() * (x - shift))
        .collect()
}

#[test]
fn a_body_does_not_know_where_it_is() {
    let original = perturbed_motion(
        grid_of([4, 3, 3], |_| true),
        &Mat3::identity(),
        &Vec3::zeros(),
    );
    let shift = Vec3::new(100.0, -60.0, 80.0);
    let mut grid = grid_of([4, 3, 3], |_| true);
    grid.origin += shift;
    let shifted = perturbed_motion(grid, &Mat3::identity(), &shift);
    for (a, b) in original.iter().zip(&shifted) {
        assert!((a - b).norm() < 1e-9, "{:e}", (a - b).norm());
    }
}

#[test]
fn a_mirrored_and_turned_body_moves_mirrored_and_turned() {
    let kept = |c: [usize; 3]| c[0] < 2 || c[1] < 1;
    let original = perturbed_motion(grid_of([5, 3, 2], kept), &Mat3::identity(), &Vec3::zeros());
    // new axes: (−y, z, x)
    let map = Mat3::new(0.0, -1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0);
    let transformed = perturbed_motion(
        grid_of([3, 2, 5], |c| kept([c[2], 2 - c[0], c[1]])),
        &map,
        &Vec3::zeros(),
    );
    for a in &original {
        let nearest = transformed
            .iter()
            .map(|b| (a - b).norm())
            .fold(f64::INFINITY, f64::min);
        assert!(nearest < 1e-9, "{nearest:e}");
    }
}

#[test]
fn a_pushed_prong_moves_the_other_only_through_the_base() {
    for w in [1, 2] {
        let mut model = model_of(&body_of(u_bar(1), -1.0), &undamped(w, 1.0, 3));
        let left = |p: usize| model.asset.sites[p][0] <= 2;
        // the deepest particles of the left prong are stretched away from the base
        let pushed: Vec<Vec3> = (0..model.x.len())
            .map(|p| {
                let tip = left(p) && model.asset.sites[p][2] < 2;
                model.x[p] + Vec3::new(-0.03, 0.0, -0.02) * f64::from(u8::from(tip))
            })
            .collect();
        let right: Vec<usize> = (0..model.x.len())
            .filter(|&p| !left(p) && model.asset.sites[p][2] < 3)
            .collect();
        assert!(!right.is_empty());
        let before = model.x.clone();
        model.set_state(&pushed, &[]);
        // one step at a time: news travels 2 w links a step and has 12 links to go
        let h = 1.0 / 180.0;
        let boundary = BoundaryConditions::default();
        for _ in 0..2 / w {
            let request = FrameRequest::new(h, &boundary);
            model.advance(request).expect("stable");
        }
        let moved = |p: &usize| (model.x[*p] - before[*p]).norm();
        assert!(right.iter().map(moved).fold(0.0, f64::max) < 1e-12, "w={w}");
    }
}
