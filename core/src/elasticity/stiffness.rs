//! Stiffness of one tetrahedron.

use nalgebra::SMatrix;

use crate::elasticity::shape_function::ShapeGradients;
use crate::material::LameParameters;
use crate::math::{Mat3, Vec3};

/// Block of the small-strain stiffness for gradients `a`, `b` (1/m) of two shape functions that are constant in a `volume` (m³), N/m: `V [λ a bᵀ + μ b aᵀ + μ (a·b) I]`.
pub fn stiffness_block(a: &Vec3, b: &Vec3, lame: &LameParameters, volume: f64) -> Mat3 {
    (a * b.transpose() * lame.lambda
        + b * a.transpose() * lame.mu
        + Mat3::identity() * (lame.mu * a.dot(b)))
        * volume
}

/// Block `K_ij` of the small-strain element stiffness, N/m: the [`stiffness_block`] of corners `i` and `j`.
///
/// Symmetric as a whole, `K_ij = K_jiᵀ`; rows sum to zero.
pub fn linear_stiffness_block(
    shape: &ShapeGradients,
    lame: &LameParameters,
    i: usize,
    j: usize,
) -> Mat3 {
    let g = &shape.gradients;
    stiffness_block(&g[i], &g[j], lame, shape.volume)
}

/// The whole 12×12 small-strain stiffness, node by node, N/m.
pub fn linear_stiffness(shape: &ShapeGradients, lame: &LameParameters) -> SMatrix<f64, 12, 12> {
    let mut k = SMatrix::<f64, 12, 12>::zeros();
    for i in 0..4 {
        for j in 0..4 {
            k.fixed_view_mut::<3, 3>(3 * i, 3 * j)
                .copy_from(&linear_stiffness_block(shape, lame, i, j));
        }
    }
    k
}

/// Largest angular frequency of the free element with a quarter of its mass at each corner, rad/s.
///
/// `ω² = λ_max(K_e)/(ρV/4)`. The largest over all elements bounds every frequency of the assembled lumped mesh, which the
/// Courant condition with the shortest edge does not (it overestimates the stable step by up to a factor of two).
pub fn element_frequency(shape: &ShapeGradients, lame: &LameParameters, density: f64) -> f64 {
    let eigenvalues = linear_stiffness(shape, lame).symmetric_eigenvalues();
    (eigenvalues.max() / (density * shape.volume / 4.0)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elasticity::force::element_force;
    use crate::material::MaterialLaw;

    #[test]
    fn the_stiffness_is_minus_the_derivative_of_the_force_at_rest() {
        let lame = LameParameters {
            lambda: 2.0e4,
            mu: 1.5e4,
        };
        let rest = [
            Vec3::zeros(),
            Vec3::x(),
            Vec3::y() * 1.1,
            Vec3::new(0.2, 0.1, 0.8),
        ];
        let shape = ShapeGradients::new(rest).expect("volume");
        for i in 0..4 {
            for j in 0..4 {
                let block = linear_stiffness_block(&shape, &lame, i, j);
                for axis in 0..3 {
                    let step = 1e-6;
                    let force = |sign: f64| {
                        let mut y = rest;
                        y[j][axis] += sign * step;
                        element_force(y, &shape, &lame, MaterialLaw::Green)[i]
                    };
                    let slope = -(force(1.0) - force(-1.0)) / (2.0 * step);
                    assert!((slope - block.column(axis)).norm() < 1e-4);
                }
            }
        }
        let k = linear_stiffness(&shape, &lame);
        assert!((k - k.transpose()).norm() < 1e-9);
        let eigenvalues = k.symmetric_eigenvalues();
        let zero = eigenvalues
            .iter()
            .filter(|e| e.abs() < 1e-8 * eigenvalues.max())
            .count();
        assert_eq!(zero, 6, "six rigid motions cost nothing");
    }
}
