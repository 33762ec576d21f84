//! Quadratic tetrahedra with straight edges: stiffness, energies, and supports and loads at the midpoints of edges.

use pliant_core::elasticity::ShapeGradients;
use pliant_core::elasticity::quadratic::{QUADRATURE_POINTS, quadratic_shape_gradients};
use pliant_core::elasticity::stiffness::stiffness_block;
use pliant_core::material::LameParameters;
use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::QuadraticTetMesh;

use crate::Statics;

/// Which nodes are held if these `corners` are: a midpoint between two held corners is held, too.
pub fn held_nodes(mesh: &QuadraticTetMesh, corners: &[bool]) -> Vec<bool> {
    let is_held = |edge: &[u32; 2]| edge.iter().all(|&n| corners[n as usize]);
    let midpoints = mesh.edges.iter().map(is_held);
    corners.iter().copied().chain(midpoints).collect()
}

/// Adds the stiffness of all elements; `shapes` are the shape gradients of the linear elements.
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

/// Gradients of the ten shape functions (1/m) at each of the four quadrature points.
pub fn gradients_at_points(shape: &ShapeGradients) -> [[Vec3; 10]; 4] {
    QUADRATURE_POINTS.map(|at| quadratic_shape_gradients(shape, at))
}

/// Energy (J) at each of the four quadrature points, with a quarter of the `volume` (m³) of an element each, for displacements `u` (m) of all nodes.
pub fn energies_at_points(
    tet: &[u32; 10],
    gradients: &[[Vec3; 10]; 4],
    volume: f64,
    u: &[Vec3],
    lame: &LameParameters,
) -> [f64; 4] {
    let energy_at = |gradients: &[Vec3; 10]| {
        let mut displacement_gradient = Mat3::zeros();
        for (&n, g) in tet.iter().zip(gradients) {
            displacement_gradient += u[n as usize] * g.transpose();
        }
        energy_density(&displacement_gradient, lame) * volume / 4.0
    };
    [0, 1, 2, 3].map(|k| energy_at(&gradients[k]))
}

/// Small-strain energy density `λ/2 tr(ε)² + μ ε:ε` of a displacement gradient, J/m³.
pub fn energy_density(displacement_gradient: &Mat3, lame: &LameParameters) -> f64 {
    let strain = (displacement_gradient + displacement_gradient.transpose()) * 0.5;
    0.5 * lame.lambda * strain.trace().powi(2) + lame.mu * strain.norm_squared()
}

/// Moves half of the force (N) on each midpoint to either end of its edge, which keeps force and moment.
pub fn to_corners(mesh: &QuadraticTetMesh, load: &[Vec3]) -> Vec<Vec3> {
    let mut corners = load[..mesh.corner_count].to_vec();
    for (edge, force) in mesh.edges.iter().zip(&load[mesh.corner_count..]) {
        for &n in edge {
            corners[n as usize] += force * 0.5;
        }
    }
    corners
}
