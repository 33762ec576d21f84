//! Pressure masks against the exact stiffness of a half-space.

use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::SurfaceMesh;
use pliant_quasistatic::boundary_elements::quadrature::Rule;
use pliant_quasistatic::haptics::PressureMasks;
use pliant_quasistatic::haptics::stiffness::masked_compliance;

/// Displacement of the origin of a half-space `y < 0` under a unit force at `at` on its surface (Boussinesq; Cerruti), without the
/// coupling of normal and tangential directions, which cancels over a mask.
fn half_space(young: f64, poisson: f64, at: &Vec3) -> Mat3 {
    let r = at.norm();
    let side = (1.0 + poisson) / (std::f64::consts::PI * young);
    let tangential = |x: f64, z: f64| side * poisson * x * z / r.powi(3);
    let own = side * (1.0 - poisson) / r;
    let (xx, xz, zz) = (
        tangential(at.x, at.x),
        tangential(at.x, at.z),
        tangential(at.z, at.z),
    );
    Mat3::new(own + xx, 0.0, xz, 0.0, own, 0.0, xz, 0.0, own + zz)
}

#[test]
fn masks_on_a_half_space_have_the_exact_stiffness() {
    // equilateral triangles of edge 1 around the origin
    let half_width = 14_i32;
    let mut positions = Vec::new();
    let mut index = std::collections::BTreeMap::new();
    for i in -half_width..=half_width {
        for j in -half_width..=half_width {
            let x = Vec3::new(
                f64::from(i) + 0.5 * f64::from(j),
                0.0,
                f64::from(j) * 0.75_f64.sqrt(),
            );
            index.insert((i, j), positions.len() as u32);
            positions.push(x);
        }
    }
    let mut triangles = Vec::new();
    for i in -half_width..half_width {
        for j in -half_width..half_width {
            let at = |a, b| index[&(i + a, j + b)];
            triangles.push([at(0, 0), at(0, 1), at(1, 0)]);
            triangles.push([at(1, 0), at(0, 1), at(1, 1)]);
        }
    }
    let skin = SurfaceMesh::new(positions, triangles);
    let areas = skin.nodal_areas();
    let centre = index[&(0, 0)] as usize;
    let rule = Rule::collapsed(6);
    for (young, poisson) in [(1e5, 0.3), (1e5, 0.45)] {
        // the traction φ_j / a_j of a unit force on vertex j, integrated with the exact kernel
        let mut blocks = vec![Mat3::zeros(); skin.vertex_count()];
        for (t, corners) in skin.triangles.iter().enumerate() {
            // the corner at the origin first: the weights of that map cancel the singularity
            let first = corners
                .iter()
                .position(|&v| v as usize == centre)
                .unwrap_or(0);
            let corners = [0, 1, 2].map(|k| corners[(k + first) % 3]);
            let [a, b, c] = corners.map(|v| skin.positions[v as usize]);
            let area = skin.area_vector(t).norm();
            for &(weights, share) in &rule.points {
                let at = a * weights[0] + b * weights[1] + c * weights[2];
                let kernel = half_space(young, poisson, &at) * (area * share);
                for (v, phi) in corners.iter().zip(weights) {
                    blocks[*v as usize] += kernel * (phi / areas[*v as usize]);
                }
            }
        }
        let mobility = vec![1.0; skin.vertex_count()];
        for radius in [4.0, 5.0, 6.5, 8.0] {
            let masks = PressureMasks::new(&skin, &mobility, radius);
            let (vertices, shares) = masks.row(centre);
            let forces: Vec<(u32, f64)> = vertices
                .iter()
                .copied()
                .zip(shares.iter().copied())
                .collect();
            let at = (&[centre as u32][..], &[1.0][..]);
            let compliance = masked_compliance(at, &forces, |_, j| blocks[j]);
            let stiffness = compliance.try_inverse().expect("regular");
            let pi = std::f64::consts::PI;
            let shear = young / (2.0 * (1.0 + poisson));
            let normal = normal_stiffness(young, poisson, radius);
            let tangential = 4.0 * pi * shear * radius / (3.0 * (2.0 - poisson));
            for (found, exact) in [
                (stiffness.m22, normal),
                (stiffness.m11, tangential),
                (stiffness.m33, tangential),
            ] {
                let error = (found / exact - 1.0).abs();
                assert!(error < 0.02, "radius {radius}, nu {poisson}: {error}");
            }
        }
        // without a mask the radius is that of the edge length: the stiffness vanishes with the mesh size
        let single = blocks[centre].try_inverse().expect("regular").m22;
        let edge = normal_stiffness(young, poisson, 1.0 / 3.0_f64.ln());
        assert!((single / edge - 1.0).abs() < 1e-3, "{}", single / edge);
    }
}

/// Stiffness of a half-space along its normal under a cone of this radius, N/m.
fn normal_stiffness(young: f64, poisson: f64, radius: f64) -> f64 {
    std::f64::consts::PI * young * radius / (3.0 * (1.0 - poisson * poisson))
}
