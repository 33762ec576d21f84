//! Rigid bones.

use std::sync::Arc;

use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::Vec3;
use pliant_core::scene::{BoneDescription, BoneShape};

use crate::testing::bodies::{Random, body_of, grid_of, model_of, momenta, run, undamped};
use crate::{LatticeModel, LatticeParams, Precision};

fn bone(name: &str, shape: BoneShape) -> BoneDescription {
    BoneDescription {
        name: name.to_string(),
        shape,
    }
}

/// Two bones along a bar of cells of 5 cm, one a thick rod, one a single row.
fn skeleton() -> Vec<BoneDescription> {
    let capsule = BoneShape::Capsule {
        a: [-0.2, 0.0, 0.0],
        b: [-0.05, 0.0, 0.0],
        radius: 0.08,
    };
    let row = BoneShape::Box {
        min: [0.07, -0.03, -0.08],
        max: [0.23, 0.03, -0.06],
    };
    vec![bone("rod", capsule), bone("row", row)]
}

fn bar(precision: Precision) -> LatticeModel {
    let params = LatticeParams {
        bones: skeleton(),
        ..undamped(1, 0.8, 4).in_precision(precision).damped(0.05)
    };
    model_of(&body_of(grid_of([10, 3, 3], |_| true), -1.0), &params)
}

/// Largest change of a distance between two particles of the same bone, m.
fn strain(model: &LatticeModel) -> f64 {
    let mut worst = 0.0_f64;
    for bone in skeleton() {
        let inside = |p: &usize| bone.shape.contains(&model.asset.rest_position(*p));
        let particles: Vec<usize> = (0..model.x.len()).filter(inside).collect();
        assert!(particles.len() >= 3, "{}", bone.name);
        for &a in &particles {
            for &b in &particles {
                let rest = (model.asset.rest[a] - model.asset.rest[b]).norm();
                worst = worst.max(((model.x[a] - model.x[b]).norm() - rest).abs());
            }
        }
    }
    worst
}

#[test]
fn bones_stay_rigid_and_a_free_body_keeps_both_momenta() {
    for precision in [Precision::Double, Precision::Single] {
        let mut model = bar(precision);
        let mut random = Random(7);
        let x: Vec<Vec3> = model.x.iter().map(|x| x + random.vector() * 0.02).collect();
        let angular_velocity = Vec3::new(2.0, 4.0, -1.0);
        let v: Vec<Vec3> = x
            .iter()
            .map(|x| angular_velocity.cross(x) + random.vector() + Vec3::x())
            .collect();
        model.set_state(&x, &v);
        assert!(strain(&model) < 1e-12, "setting a state straightens bones");
        let (before, mass) = (momenta(&model), model.asset.mass.iter().sum::<f64>());
        for frame in 0..100 {
            run(&mut model, 1, &BoundaryConditions::default()).expect("stable");
            assert!(strain(&model) < 1e-9, "{precision:?} frame {frame}");
        }
        // goals in single precision are wrong by a millionth of a cell
        let tolerance = match precision {
            Precision::Double => 1e-9,
            Precision::Single => 1e-4,
        };
        for (now, then) in momenta(&model).iter().zip(before) {
            assert!((now - then).norm() < tolerance * mass, "{precision:?}");
        }
    }
}

#[test]
fn a_bar_with_a_bone_bends_less() {
    let sag = |bones: Vec<BoneDescription>| {
        let params = undamped(1, 0.8, 8).damped(0.5).with(|p| p.bones = bones);
        let mut geometry = body_of(grid_of([10, 3, 3], |_| true), -1.0);
        let held = pliant_core::scene::Selection::Box {
            min: [-1.0; 3],
            max: [-0.24, 1.0, 1.0],
        };
        geometry.supports = vec![pliant_core::asset::SupportRegion::new(
            "wall",
            held,
            &geometry.skin,
        )];
        let mut model = model_of(&geometry, &params);
        let gravity = BoundaryConditions::with_gravity(Vec3::new(0.0, -9.81, 0.0));
        run(&mut model, 120, &gravity).expect("stable");
        let lowest = model.x.iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
        -0.075 - lowest
    };
    let rod = BoneShape::Capsule {
        a: [-0.1, 0.0, 0.0],
        b: [0.15, 0.0, 0.0],
        radius: 0.08,
    };
    let (soft, stiff) = (sag(Vec::new()), sag(vec![bone("rod", rod)]));
    // most of it bends at the wall, where there is no bone
    assert!(stiff < 0.9 * soft && stiff > 0.0, "{stiff} {soft}");
}

#[test]
fn bones_that_hold_nothing_or_what_is_held_are_refused() {
    let geometry = body_of(grid_of([4, 4, 4], |_| true), 0.1);
    let asset = Arc::clone(model_of(&geometry, &undamped(1, 0.8, 4)).asset());
    let code = |shape: BoneShape| {
        let params = undamped(1, 0.8, 4).with(|p| p.bones = vec![bone("b", shape)]);
        LatticeModel::new(Arc::clone(&asset), &params)
            .err()
            .map(|e| e.code())
    };
    let ball = |y: f64, radius: f64| BoneShape::Sphere {
        center: [0.0, y, 0.0],
        radius,
    };
    assert_eq!(code(ball(9.0, 0.1)), Some("BoneEmpty".into()));
    assert_eq!(code(ball(-0.1, 0.1)), Some("BoneHeld".into()));
    assert_eq!(code(ball(0.05, 0.06)), None);
}
