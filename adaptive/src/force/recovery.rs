//! An energy of the volume that keeps tetrahedra from inverting, for laws that soften under compression, such as that of Green strain.
//!
//! St. Venant–Kirchhoff softens under compression: its stress decreases again below 0.58 of the length, is zero at a flat element, and then grows towards the mirrored one.
//! Below a fifth of its volume an element therefore gets the additional energy `κ/2 (J₀ − J)²` for each unit of its rest volume, with `κ = 4 (λ + 2μ)`, which is of the
//! order of the response of stable neo-Hookean. Its force is the derivative of that energy, so that energy is kept. Blending the forces of two laws instead created
//! as much energy as a swinging bar had.

use pliant_core::elasticity::ShapeGradients;
use pliant_core::elasticity::stress::cofactor;
use pliant_core::material::LameParameters;
use pliant_core::math::{Mat3, Vec3};

use crate::force::{ElementConstants, NEAR_INVERTED};

/// κ over λ + 2μ. With less than 0.6 an element could stay inside out.
const STIFFNESS: f64 = 4.0;

/// How far the volume ratio of an element with recovery is below the limit; 0 for all others.
fn depth(determinant: f64, constants: &ElementConstants) -> f64 {
    if constants.recover && constants.law.softens_under_compression() {
        (NEAR_INVERTED - determinant).max(0.0)
    } else {
        0.0
    }
}

fn stiffness(lame: &LameParameters) -> f64 {
    STIFFNESS * (lame.lambda + 2.0 * lame.mu)
}

/// Energy of recovery of one tetrahedron with that volume ratio, J.
pub(crate) fn recovery_energy(
    determinant: f64,
    shape: &ShapeGradients,
    constants: &ElementConstants,
) -> f64 {
    let depth = depth(determinant, constants);
    0.5 * stiffness(&constants.lame) * depth * depth * shape.volume
}

/// Forces of recovery on the corners of one tetrahedron, N: `−V κ (J − J₀) cof F ∇L^i`. None for elements that do not need it.
pub(crate) fn recovery_forces(
    gradient: &Mat3,
    shape: &ShapeGradients,
    constants: &ElementConstants,
) -> Option<[Vec3; 4]> {
    let depth = depth(gradient.determinant(), constants);
    if depth == 0.0 {
        return None;
    }
    let stress = cofactor(gradient) * (stiffness(&constants.lame) * depth);
    let f = [1, 2, 3].map(|i| stress * shape.gradients[i] * shape.volume);
    Some([-(f[0] + f[1] + f[2]), f[0], f[1], f[2]])
}

/// Bound of the largest eigenvalue of the Hessian of recovery over λ + 2μ, for faces that grew by at most `area_squared` (squared), edges by `stretch`.
pub(crate) fn recovery_growth(determinant: f64, area_squared: f64, stretch: f64) -> f64 {
    STIFFNESS * (area_squared + (NEAR_INVERTED - determinant).max(0.0) * stretch)
}

#[cfg(test)]
mod tests {
    use pliant_core::elasticity::force::element_force;
    use pliant_core::material::{DampingParameters, MaterialLaw};

    use super::*;

    const CONSTANTS: ElementConstants = ElementConstants {
        lame: LameParameters {
            lambda: 3.0e4,
            mu: 2.0e4,
        },
        damping: DampingParameters { phi: 0.0, psi: 0.0 },
        law: MaterialLaw::Green,
        recover: true,
    };

    fn rest() -> ([Vec3; 4], ShapeGradients) {
        let x = [
            Vec3::zeros(),
            Vec3::new(1.0, 0.1, 0.0),
            Vec3::new(0.0, 1.2, 0.1),
            Vec3::new(0.1, 0.0, 0.9),
        ];
        (x, ShapeGradients::new(x).expect("volume"))
    }

    #[test]
    fn forces_are_the_slope_of_the_energy() {
        let (x, shape) = rest();
        let flat = x.map(|p| Vec3::new(1.3 * p.x + 0.2 * p.y, 0.9 * p.y, 0.1 * p.z - 0.05 * p.x));
        let energy =
            |x: [Vec3; 4]| recovery_energy(shape.gradient_of(x).determinant(), &shape, &CONSTANTS);
        let forces =
            recovery_forces(&shape.gradient_of(flat), &shape, &CONSTANTS).expect("nearly flat");
        for corner in 0..4 {
            for axis in 0..3 {
                let step = 1e-6;
                let (mut plus, mut minus) = (flat, flat);
                plus[corner][axis] += step;
                minus[corner][axis] -= step;
                let slope = (energy(plus) - energy(minus)) / (2.0 * step);
                assert!((forces[corner][axis] + slope).abs() < 1e-5 * CONSTANTS.lame.mu);
            }
        }
        assert!(recovery_forces(&Mat3::identity(), &shape, &CONSTANTS).is_none());
    }

    #[test]
    fn an_inverted_element_is_pushed_back_whatever_its_depth() {
        let (x, shape) = rest();
        for k in 0..24 {
            let squeeze = 0.15 - 0.05 * f64::from(k);
            let pressed = x.map(|p| Vec3::new(p.x, p.y, squeeze * p.z));
            let mut forces =
                element_force(pressed, &shape, &CONSTANTS.lame, MaterialLaw::Green)[3].z;
            if let Some(more) = recovery_forces(&shape.gradient_of(pressed), &shape, &CONSTANTS) {
                forces += more[3].z;
            }
            assert!(forces > 0.0, "{squeeze}: {forces}");
        }
    }
}
