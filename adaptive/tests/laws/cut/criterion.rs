//! Laws of the refinement criterion.

use pliant_adaptive::governor::criterion::{Indicator, Workspace, indicators, shortest_edges};
use pliant_core::elasticity::ShapeGradients;
use pliant_core::material::{LameParameters, MaterialLaw};
use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::TetMesh;
use pliant_core::mesh::procedural::{CellStyle, box_tets};

use crate::bodies::SIDES;

const LAME: LameParameters = LameParameters {
    lambda: 3e4,
    mu: 2e4,
};

fn compute_indicators(mesh: &TetMesh, shape_of: impl Fn(&Vec3) -> Vec3) -> Vec<Indicator> {
    let shapes: Vec<ShapeGradients> = (0..mesh.tets.len())
        .map(|t| ShapeGradients::new(mesh.corners(t)).expect("a volume"))
        .collect();
    let positions: Vec<Vec3> = mesh.nodes.iter().map(shape_of).collect();
    let shortest = shortest_edges(&mesh.nodes, &mesh.tets);
    let mut out = Vec::new();
    let tets = mesh.tets.iter().copied().zip(&shapes);
    let mut work = Workspace::default();
    let law = MaterialLaw::Green;
    indicators(tets, &positions, &shortest, &LAME, law, &mut work, &mut out);
    out
}

fn inner(mesh: &TetMesh, size: &Vec3) -> Vec<bool> {
    let is_inner = |x: &Vec3| (0..3).all(|k| x[k].abs() < 0.49 * size[k]);
    mesh.nodes.iter().map(is_inner).collect()
}

#[test]
fn indicators_of_affine_motion_are_zero_inside() {
    let size = SIDES;
    let mesh = box_tets(size, [4, 3, 5], CellStyle::Alternating);
    let a = Mat3::new(1.1, 0.2, 0.0, -0.1, 0.9, 0.3, 0.05, 0.0, 1.2);
    let found = compute_indicators(&mesh, |x| a * x + Vec3::new(3.0, -1.0, 2.0));
    for (i, inner) in found.iter().zip(inner(&mesh, &size)) {
        assert!(i.jump < 1e-12);
        // a surface node carries the traction that the motion needs
        assert!(!inner || i.force < 1e-12);
    }
}

#[test]
fn both_indicators_decrease_with_the_square_of_the_edge_length() {
    let size = Vec3::repeat(1.0);
    // a small smooth motion: the indicators measure its curvature
    let smooth = |x: &Vec3| {
        x + Vec3::new(
            (2.0 * x.y).sin() + x.x * x.x,
            x.x * x.z + (1.5 * x.y).cos(),
            (1.1 * x.z + x.x).sin(),
        ) * 1e-3
    };
    let largest = |cells: usize| {
        let mesh = box_tets(size, [cells; 3], CellStyle::Alternating);
        let mut most = Indicator::default();
        for (i, inner) in compute_indicators(&mesh, smooth)
            .iter()
            .zip(inner(&mesh, &size))
        {
            if inner {
                most.force = most.force.max(i.force);
                most.jump = most.jump.max(i.jump);
            }
        }
        most
    };
    let (coarse, fine) = (largest(6), largest(12));
    let (force, jump) = (coarse.force / fine.force, coarse.jump / fine.jump);
    assert!((3.0..5.0).contains(&force), "{force}");
    assert!((3.0..5.0).contains(&jump), "{jump}");
}

#[test]
fn indicators_rank_nodes_like_the_true_error_of_a_bent_bar() {
    // circular bending that grows along the bar: strain errors of linear elements are largest where the curvature is
    let size = Vec3::new(3.0, 0.5, 0.5);
    let bend = |x: &Vec3| {
        let s = x.x + 1.5;
        let angle = 0.05 * s * s;
        Vec3::new(x.x - x.y * angle, x.y + 0.05 * s * s * s / 3.0, x.z)
    };
    let gradient = |x: &Vec3| {
        let s = x.x + 1.5;
        let angle = 0.05 * s * s;
        Mat3::new(
            1.0 - 0.1 * x.y * s,
            -angle,
            0.0,
            angle,
            1.0,
            0.0,
            0.0,
            0.0,
            1.0,
        )
    };
    let mesh = box_tets(size, [12, 3, 3], CellStyle::Alternating);
    let found = compute_indicators(&mesh, bend);
    let mut errors = vec![0.0_f64; mesh.nodes.len()];
    for (t, tet) in mesh.tets.iter().enumerate() {
        let corners = mesh.corners(t);
        let shape = ShapeGradients::new(corners).expect("a volume");
        let f = shape.gradient_of(corners.map(|x| bend(&x)));
        // largest deviation over the corners, where the linear element is worst
        let error = corners
            .iter()
            .map(|x| (gradient(x) - f).norm())
            .fold(0.0, f64::max);
        for &n in tet {
            errors[n as usize] = errors[n as usize].max(error);
        }
    }
    let jumps: Vec<f64> = found.iter().map(|i| i.jump).collect();
    let correlation = rank_correlation(&jumps, &errors);
    assert!(correlation > 0.6, "{correlation}");
}

/// Spearman's rank correlation.
fn rank_correlation(a: &[f64], b: &[f64]) -> f64 {
    let ranks = |values: &[f64]| {
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by(|&i, &j| values[i].total_cmp(&values[j]));
        let mut rank = vec![0.0; values.len()];
        for (r, i) in order.into_iter().enumerate() {
            rank[i] = r as f64;
        }
        rank
    };
    let (a, b) = (ranks(a), ranks(b));
    let mean = (a.len() as f64 - 1.0) / 2.0;
    let product: f64 = a.iter().zip(&b).map(|(x, y)| (x - mean) * (y - mean)).sum();
    let square: f64 = a.iter().map(|x| (x - mean).powi(2)).sum();
    product / square
}
