//! Interpolation and integration inside a quadratic tetrahedron with straight edges (Zienkiewicz, Taylor 2000, volume 1, chapter 8).
//!
//! Linear tetrahedra lock in bending: they respond with spurious shear, so that thin parts are much too stiff. Quadratic ones represent linear strains exactly.

use crate::elasticity::shape_function::ShapeGradients;
use crate::math::Vec3;
use crate::mesh::quadratic::EDGES;

/// Values of the ten shape functions at barycentric coordinates `at`; they sum to one.
pub fn quadratic_shape_functions(at: [f64; 4]) -> [f64; 10] {
    let mut values = [0.0; 10];
    for (value, l) in values.iter_mut().zip(at) {
        *value = l * (2.0 * l - 1.0);
    }
    for (value, [a, b]) in values[4..].iter_mut().zip(EDGES) {
        *value = 4.0 * at[a] * at[b];
    }
    values
}

/// Gradients of the ten shape functions (1/m) at barycentric coordinates `at`, from those of the linear element; they sum to zero.
pub fn quadratic_shape_gradients(linear: &ShapeGradients, at: [f64; 4]) -> [Vec3; 10] {
    let g = &linear.gradients;
    let mut gradients = [Vec3::zeros(); 10];
    for ((gradient, l), g) in gradients.iter_mut().zip(at).zip(g) {
        *gradient = g * (4.0 * l - 1.0);
    }
    for (gradient, [a, b]) in gradients[4..].iter_mut().zip(EDGES) {
        *gradient = (g[b] * at[a] + g[a] * at[b]) * 4.0;
    }
    gradients
}

/// Four-point quadrature: barycentric coordinates of points with a quarter of the volume each. It is exact for polynomials of degree two, which is what a linear material needs.
pub const QUADRATURE_POINTS: [[f64; 4]; 4] = {
    // (5 + 3 √5) / 20 and (5 - √5) / 20
    let (a, b) = (0.585_410_196_624_968_5, 0.138_196_601_125_010_5);
    [[a, b, b, b], [b, a, b, b], [b, b, a, b], [b, b, b, a]]
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Mat3;
    use crate::mesh::TetMesh;
    use crate::mesh::quadratic::QuadraticTetMesh;

    fn element() -> QuadraticTetMesh {
        QuadraticTetMesh::new(&TetMesh {
            nodes: vec![
                Vec3::new(0.1, 0.0, -0.1),
                Vec3::new(1.2, 0.1, 0.0),
                Vec3::new(0.2, 0.9, 0.1),
                Vec3::new(0.0, 0.2, 1.1),
            ],
            tets: vec![[0, 1, 2, 3]],
        })
    }

    #[test]
    fn quadratic_fields_and_their_gradients_are_exact() {
        let mesh = element();
        let corners = [0, 1, 2, 3].map(|i| mesh.nodes[i]);
        let linear = ShapeGradients::new(corners).expect("a positive volume");
        let q = Mat3::new(1.0, 0.3, -0.2, 0.3, 0.5, 0.7, -0.2, 0.7, -1.1);
        let field = |x: &Vec3| x.dot(&(q * x)) + 2.0 * x.y - 0.5;
        let slope = |x: &Vec3| q * x * 2.0 + Vec3::y() * 2.0;
        for at in [[0.1, 0.2, 0.3, 0.4], [0.25; 4], [1.0, 0.0, 0.0, 0.0]] {
            let x: Vec3 = corners.iter().zip(at).map(|(p, l)| p * l).sum();
            let values = mesh.tets[0].map(|n| field(&mesh.nodes[n as usize]));
            let shapes = quadratic_shape_functions(at);
            let value: f64 = values.iter().zip(shapes).map(|(v, s)| v * s).sum();
            assert!((value - field(&x)).abs() < 1e-14);
            let gradients = quadratic_shape_gradients(&linear, at);
            let gradient: Vec3 = gradients.iter().zip(values).map(|(g, v)| g * v).sum();
            assert!((gradient - slope(&x)).norm() < 1e-13);
        }
    }

    #[test]
    fn four_points_integrate_squares_exactly() {
        // the integral of L0² over a tetrahedron is a tenth of its volume, of L0 L1 a twentieth
        let mean =
            |f: &dyn Fn(&[f64; 4]) -> f64| QUADRATURE_POINTS.iter().map(f).sum::<f64>() / 4.0;
        assert!((mean(&|l| l[0] * l[0]) - 0.1).abs() < 1e-15);
        assert!((mean(&|l| l[0] * l[1]) - 0.05).abs() < 1e-15);
    }

    #[test]
    fn neighbours_share_the_midpoints_of_their_edges() {
        let mesh = QuadraticTetMesh::new(&TetMesh {
            nodes: vec![
                Vec3::zeros(),
                Vec3::x(),
                Vec3::y(),
                Vec3::z(),
                Vec3::new(1.0, 1.0, 1.0),
            ],
            tets: vec![[0, 1, 2, 3], [4, 2, 1, 3]],
        });
        assert_eq!(mesh.edges.len(), 9);
        assert_eq!(mesh.nodes.len(), 14);
        let shared = mesh.edges.iter().position(|edge| *edge == [1, 3]);
        let middle = mesh.corner_count + shared.expect("a shared edge");
        assert!(mesh.tets.iter().all(|tet| tet.contains(&(middle as u32))));
        assert!(!mesh.edges.contains(&[0, 4]));
        assert!((mesh.nodes[middle] - Vec3::new(0.5, 0.0, 0.5)).norm() < 1e-15);
    }
}
