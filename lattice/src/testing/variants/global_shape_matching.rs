//! The models that lattices are compared with: one map for the whole body.

use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::{Mat3, Vec3};

use crate::testing::bodies::{
    Random, body_of, grid_of, kinetic_energy, model_of, momenta, release, run, undamped,
};
use crate::{Fracture, LatticeError, LatticeModel, LatticeParams, ShapeMatching};

const ALL: [ShapeMatching; 3] = [
    ShapeMatching::Rigid,
    ShapeMatching::Linear { beta: 1.0 },
    ShapeMatching::Quadratic { beta: 1.0 },
];

fn params(matching: ShapeMatching) -> LatticeParams {
    undamped(1, 1.0, 1).with(|p| p.matching = matching)
}

fn block(matching: ShapeMatching) -> LatticeModel {
    model_of(
        &body_of(grid_of([5, 3, 2], |_| true), -1.0),
        &params(matching),
    )
}

/// Largest distance of a goal from its particle after the places at rest were mapped, m.
fn largest_goal_error(model: &mut LatticeModel, map: impl Fn(&Vec3) -> Vec3) -> f64 {
    let x: Vec<Vec3> = model.asset.rest.iter().map(map).collect();
    release(model, &x);
    let global = model.global.as_ref().expect("a whole body");
    let each = global.goals.iter().zip(&x);
    each.map(|(g, x)| (g + model.center - x).norm())
        .fold(0.0, f64::max)
}

#[test]
fn each_map_reproduces_what_it_can_and_no_more() {
    let rotation = nalgebra::Rotation3::from_euler_angles(0.4, -1.1, 2.0);
    let rigid = |x: &Vec3| rotation * x + Vec3::new(3.0, -1.0, 0.5);
    let shear = Mat3::new(1.0, 0.7, 0.2, 0.0, 1.0, -0.4, 0.0, 0.0, 1.0);
    let sheared = |x: &Vec3| rotation * (shear * x) + Vec3::new(0.1, 0.2, 0.3);
    let stretched = |x: &Vec3| Vec3::new(2.0 * x.x, x.y, x.z);
    let bent = |x: &Vec3| Vec3::new(x.x, x.y + 3.0 * x.x * x.x, x.z);
    let twisted = |x: &Vec3| Vec3::new(x.x, x.y - 4.0 * x.x * x.z, x.z + 4.0 * x.x * x.y);
    for (k, matching) in ALL.into_iter().enumerate() {
        let mut model = block(matching);
        assert!(
            largest_goal_error(&mut model, rigid) < 1e-12,
            "{matching:?}"
        );
        let sheared = largest_goal_error(&mut model, sheared);
        assert_eq!(sheared < 1e-12, k >= 1, "{matching:?}: {sheared}");
        let bent =
            largest_goal_error(&mut model, bent).max(largest_goal_error(&mut model, twisted));
        assert_eq!(bent < 1e-12, k == 2, "{matching:?}: {bent}");
        // the linear map keeps the volume, the quadratic one does not
        let stretched = largest_goal_error(&mut model, stretched);
        assert_eq!(stretched < 1e-12, k == 2, "{matching:?}: {stretched}");
    }
}

#[test]
fn beta_mixes_with_the_rotation() {
    let sheared = |x: &Vec3| Vec3::new(x.x + 0.5 * x.y, x.y, x.z);
    let largest_goal_error = |matching| largest_goal_error(&mut block(matching), sheared);
    let rigid = largest_goal_error(ShapeMatching::Rigid);
    for beta in [0.0, 0.25, 1.0] {
        for matching in [
            ShapeMatching::Linear { beta },
            ShapeMatching::Quadratic { beta },
        ] {
            let expected = (1.0 - beta) * rigid;
            assert!(
                (largest_goal_error(matching) - expected).abs() < 1e-12,
                "{matching:?}"
            );
        }
    }
}

#[test]
fn any_motion_keeps_both_momenta_and_stays_bounded() {
    for matching in ALL {
        for zeta in [0.0, 0.2] {
            let mut model = model_of(
                &body_of(grid_of([5, 3, 2], |_| true), -1.0),
                &params(matching).damped(zeta),
            );
            let mut random = Random(3);
            let x: Vec<Vec3> = model.x.iter().map(|x| x + random.vector() * 0.05).collect();
            let v: Vec<Vec3> = x.iter().map(|_| random.vector()).collect();
            model.set_state(&x, &v);
            let (before, start) = (momenta(&model), kinetic_energy(&model));
            for _ in 0..200 {
                let report = run(&mut model, 1, &BoundaryConditions::default());
                assert!(report.expect("stable").energy.is_none());
                // what is stored at the start is at most that of 5 cm in a step of a sixtieth of a second
                // the volume of a linear map is restored by a force without an energy: undamped it may gain speed
                let may_gain = zeta == 0.0 && matches!(matching, ShapeMatching::Linear { .. });
                let most = if may_gain { f64::INFINITY } else { 40.0 };
                let gain = kinetic_energy(&model) / start;
                assert!(gain < most, "{matching:?} {zeta}: {gain}");
            }
            let scale = model.asset.mass.iter().sum::<f64>();
            for (now, then) in momenta(&model).iter().zip(before) {
                assert!((now - then).norm() < 1e-9 * scale, "{matching:?} {zeta}");
            }
        }
    }
}

#[test]
fn regions_are_not_offered() {
    let model = block(ShapeMatching::Rigid);
    let broken = params(ShapeMatching::Rigid).breaking(Fracture::default());
    let refused = LatticeModel::new(std::sync::Arc::clone(model.asset()), &broken);
    assert_eq!(
        refused.err().map(|e| e.code()),
        Some(LatticeError::NeedsRegions { name: "" }.code())
    );
}
