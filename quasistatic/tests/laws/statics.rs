//! Nonlinear statics: linear in the small, and the known trend beyond.

use pliant_core::asset::Progress;
use pliant_core::material::{Material, YoungPoisson};
use pliant_core::math::Vec3;
use pliant_core::mesh::TetMesh;
use pliant_core::mesh::procedural::{CellStyle, box_tets};
use pliant_quasistatic::finite_elements::direct_solution::{
    AppliedForces, PrescribedComponent, solve_directly,
};
use pliant_quasistatic::finite_elements::nonlinear_statics::{
    StaticError, StaticProblem, solve_static,
};

fn cube(cells: usize) -> TetMesh {
    box_tets(Vec3::repeat(1.0), [cells; 3], CellStyle::Kuhn)
}

fn material() -> Material {
    Material {
        elastic: YoungPoisson {
            young: 1e5,
            poisson: 0.3,
        },
        ..Material::default()
    }
}

/// Force along `direction` that moves the patch by `depth`, nonlinear and linear.
fn patch_forces(mesh: &TetMesh, direction: Vec3, depth: f64) -> (f64, f64) {
    let nodes = |inside: &dyn Fn(&Vec3) -> bool| -> Vec<u32> {
        (0..mesh.nodes.len() as u32)
            .filter(|&n| inside(&mesh.nodes[n as usize]))
            .collect()
    };
    let foot = nodes(&|x| x.y < -0.499);
    let patch = nodes(&|x| x.y > 0.499 && x.x.abs() < 0.2501 && x.z.abs() < 0.2501);
    let moved = direction * depth;
    let mut prescribed: Vec<(u32, Vec3)> = foot.iter().map(|&n| (n, Vec3::zeros())).collect();
    prescribed.extend(patch.iter().map(|&n| (n, moved)));
    let material = material();
    let problem = StaticProblem {
        mesh,
        material: &material,
        prescribed: &prescribed,
        gravity: Vec3::zeros(),
    };
    let solution = solve_static(&problem, &Progress::new()).expect("small strains");
    assert!(solution.residual < 1e-8);
    let total: Vec3 = solution.reactions.iter().sum();
    let scale = solution
        .reactions
        .iter()
        .map(|f| f.norm())
        .fold(0.0, f64::max);
    assert!(total.norm() < 1e-8 * scale);
    let nonlinear: Vec3 = solution.reactions[foot.len()..].iter().sum();

    let axes = [Vec3::x(), Vec3::y(), Vec3::z()];
    let components: Vec<PrescribedComponent> = patch
        .iter()
        .flat_map(|&node| {
            axes.map(|direction| PrescribedComponent {
                node,
                direction,
                displacement: moved.dot(&direction),
            })
        })
        .collect();
    let applied = AppliedForces {
        nodal: &[],
        gravity: Vec3::zeros(),
    };
    let linear = solve_directly(mesh, &material, &foot, &components, applied).expect("regular");
    let linear: Vec3 = patch.iter().map(|&n| linear.reactions[n as usize]).sum();
    (nonlinear.dot(&direction), linear.dot(&direction))
}

#[test]
fn tiny_displacements_are_linear() {
    let mesh = cube(3);
    for direction in [-Vec3::y(), Vec3::x()] {
        let (nonlinear, linear) = patch_forces(&mesh, direction, 1e-5);
        assert!((nonlinear / linear - 1.0).abs() < 1e-4);
    }
}

#[test]
fn pressing_softens_in_proportion_and_shearing_hardly_matters() {
    // spectral solution: -0.0257 at 1 % depth, a tenth of it at 0.1 %; P1 meshes resolve less of the edge of the patch
    let deviation = |direction: Vec3, depth: f64| {
        let (nonlinear, linear) = patch_forces(&cube(8), direction, depth);
        nonlinear / linear - 1.0
    };
    let pressed = deviation(-Vec3::y(), 0.01);
    assert!((-0.026..-0.018).contains(&pressed), "{pressed}");
    let little = deviation(-Vec3::y(), 0.001);
    assert!((little / pressed - 0.1).abs() < 0.01, "{little} {pressed}");
    // left and right are mirror images, so shearing has no term of first order but the asymmetry of the mesh
    let sheared = deviation(Vec3::x(), 0.01);
    assert!(sheared.abs() < 0.001, "{sheared}");
}

#[test]
fn a_bar_bends_far_under_its_weight_and_bad_problems_are_refused() {
    let mesh = box_tets(Vec3::new(1.0, 0.2, 0.2), [8, 2, 2], CellStyle::Alternating);
    let wall: Vec<(u32, Vec3)> = (0..mesh.nodes.len() as u32)
        .filter(|&n| mesh.nodes[n as usize].x < -0.499)
        .map(|n| (n, Vec3::zeros()))
        .collect();
    let mut material = material();
    material.elastic.young = 1e6;
    let problem = StaticProblem {
        mesh: &mesh,
        material: &material,
        prescribed: &wall,
        gravity: Vec3::new(0.0, -9.81, 0.0),
    };
    let solution = solve_static(&problem, &Progress::new()).expect("equilibrium");
    let weight = 9.81 * 1000.0 * 0.04;
    let carried: Vec3 = solution.reactions.iter().sum();
    assert!((carried - Vec3::new(0.0, weight, 0.0)).norm() < 1e-7 * weight);
    let sag = solution
        .displacements
        .iter()
        .map(|u| -u.y)
        .fold(0.0, f64::max);
    assert!(sag > 0.15 && sag < 0.4, "{sag}");

    let nowhere = [(u32::MAX, Vec3::zeros())];
    let missing = StaticProblem {
        prescribed: &nowhere,
        ..problem
    };
    let error = solve_static(&missing, &Progress::new()).err();
    assert_eq!(error, Some(StaticError::NoSuchNode { node: u32::MAX }));
    let loose = StaticProblem {
        prescribed: &[],
        ..problem
    };
    let error = solve_static(&loose, &Progress::new()).err();
    assert_eq!(error.map(|e| e.code()), Some("Unconstrained".into()));
    let cancelled = Progress::new();
    cancelled.cancel();
    let error = solve_static(&problem, &cancelled).err();
    assert_eq!(error.map(|e| e.code()), Some("Cancelled".into()));
}
