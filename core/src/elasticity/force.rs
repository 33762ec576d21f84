//! Nodal forces of one tetrahedron.

use crate::elasticity::law::{first_piola_kirchhoff_stress, strain_energy_density};
use crate::elasticity::shape_function::ShapeGradients;
use crate::material::{LameParameters, MaterialLaw};
use crate::math::Vec3;

/// Elastic forces on the four nodes, N: `f_i = −V P ∇L^i` (Debunne et al. 2001, Eq. 8, with the ordinary Lamé constants).
///
/// They sum to zero, and for rotation-invariant laws so do their moments.
#[allow(non_snake_case)]
pub fn element_force(
    positions: [Vec3; 4],
    shape: &ShapeGradients,
    lame: &LameParameters,
    law: MaterialLaw,
) -> [Vec3; 4] {
    let F = shape.gradient_of(positions);
    let P = first_piola_kirchhoff_stress(&F, lame, law);
    let f = [1, 2, 3].map(|i| P * shape.gradients[i] * -shape.volume);
    [-(f[0] + f[1] + f[2]), f[0], f[1], f[2]]
}

/// Strain energy of one tetrahedron, J.
pub fn element_energy(
    positions: [Vec3; 4],
    shape: &ShapeGradients,
    lame: &LameParameters,
    law: MaterialLaw,
) -> f64 {
    shape.volume * strain_energy_density(&shape.gradient_of(positions), lame, law)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Rotation3;

    const LAME: LameParameters = LameParameters {
        lambda: 3.0e4,
        mu: 2.0e4,
    };

    fn rest() -> [Vec3; 4] {
        [
            Vec3::new(0.34, 0.91, -0.91),
            Vec3::new(0.71, 0.56, 0.29),
            Vec3::new(-0.4, 0.2, 0.35),
            Vec3::new(0.98, -0.3, -0.7),
        ]
    }

    fn deformed() -> [Vec3; 4] {
        let x = rest();
        [
            x[0] * 1.1,
            x[1] + Vec3::new(0.1, -0.05, 0.2),
            x[2] + Vec3::new(0.0, 0.1, 0.0),
            x[3] * 0.9,
        ]
    }

    fn shape() -> ShapeGradients {
        ShapeGradients::new(rest()).expect("volume")
    }

    #[test]
    fn force_is_minus_the_derivative_of_energy() {
        let (shape, x) = (shape(), deformed());
        for law in MaterialLaw::ALL {
            let forces = element_force(x, &shape, &LAME, law);
            let scale = forces.iter().map(|f| f.norm()).fold(0.0, f64::max);
            for node in 0..4 {
                for axis in 0..3 {
                    let step = 1e-6;
                    let energy = |sign: f64| {
                        let mut y = x;
                        y[node][axis] += sign * step;
                        element_energy(y, &shape, &LAME, law)
                    };
                    let slope = -(energy(1.0) - energy(-1.0)) / (2.0 * step);
                    assert!((slope - forces[node][axis]).abs() < 1e-7 * scale, "{law:?}");
                }
            }
        }
    }

    #[test]
    fn green_forces_follow_rotations_and_have_no_resultant() {
        let (shape, x) = (shape(), deformed());
        let r = Rotation3::from_euler_angles(1.0, -2.0, 0.5);
        for law in [
            MaterialLaw::Green,
            MaterialLaw::StableNeoHookean,
            MaterialLaw::Corotated,
        ] {
            let plain = element_force(x, &shape, &LAME, law);
            let turned = element_force(x.map(|p| r * p + Vec3::repeat(3.0)), &shape, &LAME, law);
            let scale = plain[0].norm();
            for i in 0..4 {
                assert!((r * plain[i] - turned[i]).norm() < 1e-11 * scale);
            }
            let moment: Vec3 = (0..4).map(|i| x[i].cross(&plain[i])).sum();
            assert!(plain.iter().sum::<Vec3>().norm() < 1e-12 * scale);
            assert!(moment.norm() < 1e-12 * scale);
            let rigid = element_force(rest().map(|p| r * p), &shape, &LAME, law);
            assert!(rigid.iter().all(|f| f.norm() < 1e-10 * scale));
        }
    }
}
