//! Kernels and integrals against reference numbers; the assembled system against exact solutions.

use pliant_core::asset::Progress;
use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::procedural::{CellStyle, box_surface};
pub(super) use pliant_fuzzing::on_threads;

use super::element::{Triangle, reference_blocks};
use super::quadrature::Rule;
use super::{Kelvin, assemble_linear};

const KELVIN: Kelvin = Kelvin { poisson: 0.3 };

fn relative(a: &Mat3, b: &Mat3) -> f64 {
    (a - b).norm() / b.norm()
}

#[test]
fn kernels_have_the_reference_values() {
    let r = Vec3::new(0.164324, -0.811743, -0.133746) - Vec3::new(-0.828702, -0.526379, 0.602549);
    let normal = Vec3::new(
        -0.9141490681831038,
        -0.10496149644078663,
        -0.3915540389331644,
    );
    let u = KELVIN.displacement(&r);
    assert!((u[(0, 0)] - 0.05404458520280604).abs() < 1e-15);
    assert!((u[(0, 1)] + 0.003943567083111792).abs() < 1e-15);
    assert!((u[(1, 2)] - 0.002924020846845699).abs() < 1e-15);
    let t = KELVIN.traction(&r, &normal);
    assert!((t[(0, 0)] - 0.036718794525536114).abs() < 1e-14);
    assert!((t[(0, 1)] + 0.01273040576655942).abs() < 1e-14);
    assert!((t[(1, 0)] + 0.004601071607939837).abs() < 1e-14);
}

#[test]
fn tractions_follow_from_displacements_by_hookes_law() {
    let (r, normal) = (Vec3::new(0.4, -0.7, 0.5), Vec3::new(0.6, 0.0, 0.8));
    let h = 1e-5;
    let lambda = 2.0 * KELVIN.poisson / (1.0 - 2.0 * KELVIN.poisson);
    let mut expected = Mat3::zeros();
    for i in 0..3 {
        let field = |x: &Vec3| KELVIN.displacement(x).row(i).transpose();
        let gradient = Mat3::from_columns(&[0, 1, 2].map(|k| {
            let step = Vec3::ith(k, h);
            (field(&(r + step)) - field(&(r - step))) / (2.0 * h)
        }));
        let stress =
            Mat3::identity() * (lambda * gradient.trace()) + gradient + gradient.transpose();
        expected.set_row(i, &(stress * normal).transpose());
    }
    assert!(relative(&KELVIN.traction(&r, &normal), &expected) < 1e-8);
}

#[test]
fn the_closed_form_on_a_triangle_is_what_quadrature_approaches() {
    let corners = [
        Vec3::new(0.1, 0.0, 0.2),
        Vec3::new(1.3, 0.2, 0.1),
        Vec3::new(0.4, 0.9, 0.6),
    ];
    let center = (corners[0] + corners[1] + corners[2]) / 3.0;
    let exact = KELVIN.self_displacement(&corners, &center);
    // three pieces with the singular corner first
    let mut sum = Mat3::zeros();
    for k in 0..3 {
        let piece = Triangle::new([center, corners[k], corners[(k + 1) % 3]]);
        let blocks = reference_blocks(&KELVIN, &piece, &Rule::collapsed(24), &center);
        sum += blocks.displacement[0] + blocks.displacement[1] + blocks.displacement[2];
    }
    assert!(relative(&exact, &sum) < 1e-8);
    let larger = corners.map(|c| c * 3.0);
    assert!(
        relative(
            &KELVIN.self_displacement(&larger, &(center * 3.0)),
            &(exact * 3.0)
        ) < 1e-13
    );
}

/// A block of 0.6 x 0.4 x 0.5 m.
fn block(cells: usize) -> SurfaceMesh {
    box_surface(Vec3::new(0.6, 0.4, 0.5), [cells; 3], CellStyle::Alternating)
}

/// Product of a matrix, row by row, with `x`.
pub(super) fn times(rows: &[f64], x: &[f64]) -> Vec<f64> {
    rows.chunks(x.len())
        .map(|row| row.iter().zip(x).map(|(a, b)| a * b).sum())
        .collect()
}

/// Components of a field at some points.
pub(super) fn field(points: &[Vec3], of: impl Fn(&Vec3) -> Vec3) -> Vec<f64> {
    let at = points.iter().map(of);
    at.flat_map(|u| [u.x, u.y, u.z]).collect()
}

pub(super) fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0_f64, |a, b| a.max(b.abs()))
}

#[test]
fn a_rotation_of_the_body_makes_no_traction() {
    let surface = block(4);
    let system = assemble_linear(&surface, KELVIN, |_, _| true, &Progress::new()).expect("closed");
    let axis = Vec3::new(0.3, -0.8, 0.5);
    let u = field(&surface.positions, |x| axis.cross(x));
    let residual = largest(&times(&system.h, &u)) / largest(&u);
    assert!(residual < 1e-4, "{residual}");
    assert!(residual > 0.0);
}

/// With `p = σ n` on every face the relation holds for any uniform strain: tractions of one face group at a time.
#[test]
fn a_uniform_strain_is_exact_with_a_traction_for_each_face() {
    let surface = block(3);
    let gradient = Mat3::new(0.1, 0.03, 0.0, 0.02, -0.05, 0.04, 0.0, -0.01, 0.07);
    let lambda = 2.0 * KELVIN.poisson / (1.0 - 2.0 * KELVIN.poisson);
    let stress = Mat3::identity() * (lambda * gradient.trace()) + gradient + gradient.transpose();
    let u = field(&surface.positions, |x| gradient * x);
    let normals: Vec<Vec3> = (0..surface.triangles.len())
        .map(|t| Triangle::new(surface.corners(t)).normal)
        .collect();
    let mut right = vec![0.0; u.len()];
    let mut left = Vec::new();
    for axis in 0..3 {
        for sign in [1.0, -1.0] {
            let face = Vec3::ith(axis, sign);
            let on_face = |t: usize, _: usize| normals[t].dot(&face) > 0.9;
            let system =
                assemble_linear(&surface, KELVIN, on_face, &Progress::new()).expect("closed");
            let p = field(&surface.positions, |_| stress * face);
            for (r, x) in right.iter_mut().zip(times(&system.g, &p)) {
                *r += x;
            }
            left = times(&system.h, &u);
        }
    }
    let error = left
        .iter()
        .zip(&right)
        .fold(0.0_f64, |a, (l, r)| a.max((l - r).abs()));
    let relative = error / largest(&u);
    assert!(relative < 1e-4, "{relative}");
}

/// Scaling, and the number of threads.
#[test]
fn the_system_scales_with_length_and_has_the_same_bits_on_any_number_of_threads() {
    let surface = block(3);
    let assemble = |surface: &SurfaceMesh, threads: usize| {
        on_threads(threads, || {
            assemble_linear(surface, KELVIN, |_, _| true, &Progress::new()).expect("closed")
        })
    };
    let one = assemble(&surface, 1);
    assert!(one == assemble(&surface, 3));
    let mut larger = surface.clone();
    for x in &mut larger.positions {
        *x *= 4.0;
    }
    let four = assemble(&larger, 2);
    let worst = |a: &[f64], b: &[f64], factor: f64| {
        a.iter()
            .zip(b)
            .fold(0.0_f64, |w, (a, b)| w.max((a - b * factor).abs()))
            / largest(a)
    };
    assert!(worst(&four.h, &one.h, 1.0) < 1e-12);
    assert!(worst(&four.g, &one.g, 4.0) < 1e-12);
    assert!(worst(&four.body_force, &one.body_force, 16.0) < 1e-12);
}
