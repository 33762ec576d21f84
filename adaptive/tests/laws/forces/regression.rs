//! Results of an independent implementation: one tetrahedron, and the 27-node cube.

use std::f64::consts::PI;

use pliant_adaptive::force::ElementConstants;
use pliant_adaptive::force::fast::FastForces;
use pliant_adaptive::force::reference::ReferenceForces;
use pliant_adaptive::{AdaptiveModel, ElementModel};
use pliant_core::material::{Damping, DampingParameters, LameParameters, Material, MaterialLaw};
use pliant_core::math::Vec3;
use pliant_core::mesh::TetMesh;
use pliant_core::mesh::procedural::{CellStyle, box_tets};

use crate::bodies::{baked, body_of, cube_material, left_of};

/// A body of one mesh under Green strain whose nodes `held` are fixed.
fn green(mesh: TetMesh, material: Material, held: &[u32]) -> AdaptiveModel {
    AdaptiveModel::from_tets(mesh, material, held, ElementModel::Green).expect("simulates")
}

fn vectors(numbers: [[f64; 3]; 4]) -> Vec<Vec3> {
    numbers.iter().map(|n| Vec3::from(*n)).collect()
}

#[test]
fn one_tetrahedron() {
    let rest = vectors([
        [0.337527, 0.912049, -0.914944],
        [0.714165, 0.564382, 0.293276],
        [0.975889, -0.501187, 0.185928],
        [-0.17761, 0.5751, -0.423863],
    ]);
    let x = vectors([
        [-0.255998, 0.571479, -0.048783],
        [0.162031, 0.241577, 1.123125],
        [0.395846, -0.792999, 1.039227],
        [-0.786345, 0.267612, 0.45595],
    ]);
    let v = vectors([
        [0.535294, -0.059639, 0.761342],
        [-0.006369, 0.865292, -0.772718],
        [-0.159971, -0.506378, -0.60498],
        [-0.982328, 0.13636, -0.700485],
    ]);
    let elastic = vectors([
        [-632.4613067739424, 118.04139874047152, -905.0503454741511],
        [-241.46622578344446, 1269.471668946829, 1113.3167000795731],
        [-141.81562538491244, -1101.3666147593908, -423.3207934642189],
        [1015.7431579422993, -286.14645292790965, 215.0544388587969],
    ]);
    let viscous = vectors([
        [-18.050799054763697, -1.910433903029667, -0.2792919106584521],
        [-11.799468855824419, -20.82724677144399, -4.742485603839072],
        [-3.0236721511217, 15.897897067771526, 3.4856178554074964],
        [32.87394006170981, 6.839783606702134, 1.5361596590900288],
    ]);
    let (energy, power) = (50.880289257919735, 66.15483018189707);
    let mesh = TetMesh {
        nodes: rest,
        tets: vec![[0, 1, 3, 2]],
    };
    let lame = LameParameters {
        lambda: 100000.0,
        mu: 80000.0,
    };
    let damping = DampingParameters {
        phi: 50.0,
        psi: 20.0,
    };
    let material = Material {
        elastic: lame.into(),
        density: 1000.0,
        damping: Damping::Parameters(damping),
        law: MaterialLaw::Green,
    };
    let body = green(mesh, material, &[]);
    let level = &body.asset().levels[0];
    let mut out = vec![Vec3::zeros(); 4];
    for (damping, expected_power) in [(DampingParameters::default(), 0.0), (damping, power)] {
        let constants = ElementConstants {
            lame,
            damping,
            law: MaterialLaw::Green,
            recover: true,
        };
        let mut forces = FastForces::new(level, constants);
        let found = forces.evaluate(&x, &v, &mut out);
        for i in 0..4 {
            let expected = if expected_power > 0.0 {
                elastic[i] + viscous[i]
            } else {
                elastic[i]
            };
            assert!((out[i] - expected).norm() < 1e-11 * 1270.0);
        }
        let stored = ReferenceForces::new(level, constants).energy(&x);
        assert!((stored / energy - 1.0).abs() < 1e-11);
        assert!((found.viscous_power - expected_power).abs() < 1e-11 * power);
    }
}

/// The cube from 0 to 1 with two cells along each axis.
fn cube27() -> TetMesh {
    let mut mesh = box_tets(Vec3::repeat(1.0), [2, 2, 2], CellStyle::Alternating);
    for x in &mut mesh.nodes {
        *x += Vec3::repeat(0.5);
    }
    mesh
}

fn wall(mesh: &TetMesh) -> Vec<u32> {
    (0..mesh.nodes.len() as u32)
        .filter(|&n| mesh.nodes[n as usize].x < 1e-9)
        .collect()
}

#[test]
fn forces_and_energy_of_the_27_node_cube() {
    let mut body = green(cube27(), cube_material(0.0), &[]);
    let moved: Vec<Vec3> = body
        .level_nodes()
        .iter()
        .map(|x| {
            let phase = Vec3::new(x.x + 0.2 * x.z, 0.3 * x.x + x.y, 0.5 * x.y + x.z) * 3.1;
            let b = Vec3::new(0.1, 0.4, 0.9);
            x + (phase + b).map(f64::sin) * 0.05
        })
        .collect();
    body.set_state(&moved, &[]);
    assert!((body.elastic_energy() / 23000.034813463193 - 1.0).abs() < 1e-10);
    let forces = body.node_forces();
    let squares: f64 = forces.iter().map(|f| f.norm_squared()).sum();
    assert!((squares / 35346980870.82075 - 1.0).abs() < 1e-10);
    let first = Vec3::new(8301.88940559587, 4245.681708192373, 2350.9496185997778);
    assert!((forces[0] - first).norm() < 1e-10 * first.norm());
}

#[test]
fn lowest_frequency_of_the_clamped_27_node_cube() {
    let clamp = Some(left_of(1e-6));
    let asset = baked(&body_of([cube27()], cube_material(0.0), clamp));
    let hertz = asset.lowest_frequency / (2.0 * PI);
    assert!((hertz / 3.780315746483388 - 1.0).abs() < 1e-6, "{hertz}");
}

#[test]
fn two_hundred_steps_of_the_27_node_cube() {
    let mesh = cube27();
    let held = wall(&mesh);
    let mut body = green(mesh, cube_material(0.0), &held);
    let corner = body
        .level_nodes()
        .iter()
        .position(|x| (x - Vec3::x()).norm() < 1e-12)
        .expect("a corner");
    // positions of the corner (1, 0, 0) after numbers of steps of 5.0146 ms, gravity along −z
    let expected = PATH.map(|(step, x)| (step, Vec3::from(x)));
    let gravity = Vec3::new(0.0, 0.0, -9.81);
    let dynamics = body.dynamics_mut();
    dynamics.evaluate();
    for step in 1..=200 {
        dynamics.kick(0.0050146, &gravity);
        dynamics.drift(0.0050146);
        dynamics.evaluate();
        for (at, x) in expected {
            if at == step {
                let error = (dynamics.positions[corner] - x).norm();
                assert!(error < 1e-7, "{step}: {error}");
            }
        }
    }
}

// the test allows 1e-7
const PATH: [(u32, [f64; 3]); 5] = [
    (1, [1.0, 0.0, -0.00024668435]),
    (10, [0.99859082764, 0.00018756914, -0.01308806257]),
    (50, [0.99976031911, -1.591443e-5, -0.00075452997]),
    (100, [0.99888137524, 5.827600e-5, -0.00384906967]),
    (200, [0.99535650181, 4.157374e-5, -0.01519365797]),
];
