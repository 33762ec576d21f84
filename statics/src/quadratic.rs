//! Quadratic tetrahedra with straight edges: stiffness, energies, and what belongs to the middles of edges.

use pliant_core::elasticity::ShapeGradients;
use pliant_core::elasticity::quadratic::{FOUR_POINTS, quadratic_shape_gradients};
use pliant_core::material::LameParameters;
use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::QuadraticTetMesh;

use crate::Statics;

/// Which nodes are held where these `corners` are: a middle between two held corners is held.
pub fn held_nodes(mesh: &QuadraticTetMesh, corners: &[bool]) -> Vec<bool> {
    let between = |e: &[u32; 2]| e.iter().all(|&n| corners[n as usize]);
    let middles = mesh.edges.iter().map(between);
    corners.iter().copied().chain(middles).collect()
}

/// Adds the stiffness of all elements; `shapes` are those of the linear ones.
pub fn assemble<'a>(
    statics: &mut Statics,
    mesh: &QuadraticTetMesh,
    shapes: impl Iterator<Item = &'a ShapeGradients>,
    lame: &LameParameters,
) {
    for (tet, shape) in mesh.tets.iter().zip(shapes) {
        for gradients in gradients_at_points(shape) {
            for (&i, a) in tet.iter().zip(&gradients) {
                for (&j, b) in tet.iter().zip(&gradients) {
                    statics.add(i, j, &stiffness_block(a, b, lame, shape.volume / 4.0));
                }
            }
        }
    }
}

/// Gradients of the ten shape functions (1/m) at each of the four points.
pub fn gradients_at_points(shape: &ShapeGradients) -> [[Vec3; 10]; 4] {
    FOUR_POINTS.map(|at| quadratic_shape_gradients(shape, at))
}

/// Energy (J) of the quarter of an element of `volume` (m³) around each of the four points, under displacements `u` (m) of all nodes.
pub fn energies_at_points(
    tet: &[u32; 10],
    gradients: &[[Vec3; 10]; 4],
    volume: f64,
    u: &[Vec3],
    lame: &LameParameters,
) -> [f64; 4] {
    let of_point = |gradients: &[Vec3; 10]| {
        let mut slope = Mat3::zeros();
        for (&n, g) in tet.iter().zip(gradients) {
            slope += u[n as usize] * g.transpose();
        }
        energy_density(&slope, lame) * volume / 4.0
    };
    [0, 1, 2, 3].map(|k| of_point(&gradients[k]))
}

/// `V [λ a bᵀ + μ b aᵀ + μ (a·b) I]` for gradients `a`, `b` (1/m) of two shape functions, N/m.
pub fn stiffness_block(a: &Vec3, b: &Vec3, lame: &LameParameters, volume: f64) -> Mat3 {
    (a * b.transpose() * lame.lambda
        + b * a.transpose() * lame.mu
        + Mat3::identity() * (lame.mu * a.dot(b)))
        * volume
}

/// `λ/2 tr(ε)² + μ ε:ε` of a displacement gradient, J/m³.
pub fn energy_density(slope: &Mat3, lame: &LameParameters) -> f64 {
    let strain = (slope + slope.transpose()) * 0.5;
    0.5 * lame.lambda * strain.trace().powi(2) + lame.mu * strain.norm_squared()
}

/// Forces on middles go to the ends of their edges by halves: the same force and moment.
pub fn to_corners(mesh: &QuadraticTetMesh, load: &[Vec3]) -> Vec<Vec3> {
    let mut corners = load[..mesh.corner_count].to_vec();
    for (edge, force) in mesh.edges.iter().zip(&load[mesh.corner_count..]) {
        for &n in edge {
            corners[n as usize] += force * 0.5;
        }
    }
    corners
}
