//! Laws of the forces on whole meshes, for every element model and both kernels.

use crate::bodies::{SIDES, baked_block, bent, body, max_norm};
use nalgebra::Rotation3;
use pliant_adaptive::params::ForceKernel;
use pliant_adaptive::{AdaptiveModel, AdaptiveParams, ElementModel, LevelChoice};
use pliant_core::math::Vec3;

fn bent_body(model: ElementModel, zeta: f64) -> AdaptiveModel {
    let asset = baked_block(SIDES, &[[2, 3, 2]], zeta, None);
    let mut b = body(&asset, 0, model);
    let x: Vec<Vec3> = b.level_nodes().iter().map(bent).collect();
    let v: Vec<Vec3> = x
        .iter()
        .map(|x| Vec3::new((3.0 * x.y).sin(), x.x * x.z, (2.0 * x.x).cos()) * 0.7)
        .collect();
    b.set_state(&x, &v);
    b
}

#[test]
fn forces_are_minus_the_derivative_of_the_energy() {
    for model in ElementModel::ALL {
        let mut b = bent_body(model, 0.0);
        let forces = b.node_forces().to_vec();
        let scale = max_norm(&forces);
        let x = b.level_positions().to_vec();
        for node in [0, 7, 20, 35] {
            for axis in 0..3 {
                let mut energy = |sign: f64| {
                    let mut y = x.clone();
                    y[node][axis] += sign * 1e-6;
                    b.set_state(&y, &[]);
                    b.elastic_energy()
                };
                let slope = -(energy(1.0) - energy(-1.0)) / 2e-6;
                assert!(
                    (slope - forces[node][axis]).abs() < 1e-5 * scale,
                    "{model:?} {node} {axis}: {slope} {}",
                    forces[node][axis]
                );
            }
        }
    }
}

#[test]
fn forces_have_no_resultant_and_no_moment_except_for_infinitesimal_strain() {
    for model in ElementModel::ALL {
        let mut b = bent_body(model, 0.1);
        let x = b.level_positions().to_vec();
        let forces = b.node_forces();
        let scale = max_norm(forces) * forces.len() as f64;
        assert!(forces.iter().sum::<Vec3>().norm() < 1e-13 * scale);
        let moment: Vec3 = x.iter().zip(forces).map(|(x, f)| x.cross(f)).sum();
        if !matches!(model, ElementModel::Cauchy | ElementModel::Simplified) {
            assert!(moment.norm() < 1e-13 * scale, "{model:?}");
        }
    }
}

#[test]
fn rigid_motion_causes_no_force_except_for_infinitesimal_strain() {
    let r = Rotation3::from_euler_angles(0.7, -1.1, 2.3);
    for model in ElementModel::ALL {
        let mut b = bent_body(model, 0.1);
        let scale = max_norm(b.node_forces());
        let x: Vec<Vec3> = b
            .level_nodes()
            .iter()
            .map(|x| r * x + Vec3::repeat(2.0))
            .collect();
        let spin = Vec3::new(1.0, 2.0, -0.5);
        let v: Vec<Vec3> = x.iter().map(|x| spin.cross(x)).collect();
        b.set_state(&x, &v);
        let force = max_norm(b.node_forces());
        let linear = matches!(model, ElementModel::Cauchy | ElementModel::Simplified);
        assert_eq!(force > 0.1 * scale, linear, "{model:?} {force} {scale}");
        if !linear {
            assert!(force < 1e-10 * scale, "{model:?} {force}");
        }
    }
}

#[test]
fn the_fast_kernel_agrees_with_the_reference_kernel() {
    for model in [
        ElementModel::Green,
        ElementModel::Cauchy,
        ElementModel::Simplified,
        ElementModel::StableNeoHookean,
    ] {
        for zeta in [0.0, 0.1] {
            for squeeze in [1.0, 0.1] {
                // 3·3·3·6 = 162 tetrahedra: the last block of four is incomplete
                let asset = baked_block(SIDES, &[[3, 3, 3]], zeta, None);
                let forces = |kernel| {
                    let params = AdaptiveParams {
                        model: Some(model),
                        level: LevelChoice::Index(0),
                        kernel,
                        ..AdaptiveParams::default()
                    };
                    let mut b = AdaptiveModel::new(asset.clone(), params).expect("fits");
                    let x: Vec<Vec3> = b
                        .level_nodes()
                        .iter()
                        .map(|x| {
                            let y = bent(x);
                            Vec3::new(y.x, y.y * squeeze, y.z)
                        })
                        .collect();
                    let v: Vec<Vec3> = x.iter().map(|x| x.yzx() * 3.0).collect();
                    b.set_state(&x, &v);
                    b.node_forces().to_vec()
                };
                let (fast, slow) = (forces(ForceKernel::Fast), forces(ForceKernel::Reference));
                let scale = max_norm(&slow);
                for (a, b) in fast.iter().zip(&slow) {
                    assert!((a - b).norm() < 1e-12 * scale, "{model:?} {zeta} {squeeze}");
                }
            }
        }
    }
}

#[test]
fn damping_never_does_work_on_the_body() {
    for model in ElementModel::ALL {
        let power = |zeta: f64| -> f64 {
            let mut b = bent_body(model, zeta);
            let v = b.level_velocities().to_vec();
            b.node_forces().iter().zip(&v).map(|(f, v)| f.dot(v)).sum()
        };
        let undamped = power(0.0);
        let (a, b) = (power(0.05) - undamped, power(0.1) - undamped);
        assert!(a < 0.0, "{model:?} {a}");
        assert!((b / a - 2.0).abs() < 1e-9, "linear in the damping ratio");
    }
}
