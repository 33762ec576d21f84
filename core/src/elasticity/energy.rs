//! Strain energy densities: what forces are the derivatives of.

use crate::elasticity::strain::{green_strain, infinitesimal_strain};
use crate::elasticity::stress::NeoHookeanConstants;
use crate::material::{LameParameters, MaterialLaw};
use crate::math::Mat3;
use crate::math::polar::nearest_rotation;

/// Strain energy per rest volume, J/m³, zero at rest.
///
/// Green: `λ/2 tr(E)² + μ E:E`. (The form `½σ:ε` with the paper's doubled tensors is four times too large.)
#[allow(non_snake_case)]
pub fn strain_energy_density(F: &Mat3, lame: &LameParameters, law: MaterialLaw) -> f64 {
    let quadratic = |E: Mat3| lame.lambda / 2.0 * E.trace().powi(2) + lame.mu * E.norm_squared();
    match law {
        MaterialLaw::Green => quadratic(green_strain(F)),
        MaterialLaw::Cauchy => quadratic(infinitesimal_strain(F)),
        MaterialLaw::SimplifiedCauchy => {
            let H = F - Mat3::identity();
            (lame.lambda + lame.mu) / 2.0 * H.trace().powi(2) + lame.mu / 2.0 * H.norm_squared()
        }
        MaterialLaw::StableNeoHookean => {
            let n = NeoHookeanConstants::from(*lame);
            let density = |ic: f64, j: f64| {
                n.mu / 2.0 * (ic - 3.0) + n.lambda / 2.0 * (j - n.alpha).powi(2)
                    - n.mu / 2.0 * (ic + 1.0).ln()
            };
            density(F.norm_squared(), F.determinant()) - density(3.0, 1.0)
        }
        MaterialLaw::Corotated => {
            let R = nearest_rotation(F);
            lame.mu * (F - R).norm_squared() + lame.lambda / 2.0 * (R.dot(F) - 3.0).powi(2)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elasticity::stress::first_piola_kirchhoff_stress;

    const LAME: LameParameters = LameParameters {
        lambda: 5.0e5,
        mu: 4.0e5,
    };
    #[test]
    fn stress_is_the_derivative_of_energy() {
        let f = Mat3::new(1.1, 0.2, -0.1, 0.05, 0.8, 0.3, -0.2, 0.1, 1.25);
        for law in MaterialLaw::ALL {
            let p = first_piola_kirchhoff_stress(&f, &LAME, law);
            for i in 0..3 {
                for j in 0..3 {
                    let step = 1e-6;
                    let (mut plus, mut minus) = (f, f);
                    plus[(i, j)] += step;
                    minus[(i, j)] -= step;
                    let slope = (strain_energy_density(&plus, &LAME, law)
                        - strain_energy_density(&minus, &LAME, law))
                        / (2.0 * step);
                    assert!(
                        (slope - p[(i, j)]).abs() < 1e-7 * p.norm(),
                        "{law:?} {i}{j}"
                    );
                }
            }
        }
    }

    #[test]
    fn every_law_has_the_same_small_strain_moduli_and_no_rest_stress() {
        let strain = Mat3::new(1.0, 0.3, -0.2, 0.3, -0.5, 0.1, -0.2, 0.1, 0.7) * 1e-6;
        let linear = Mat3::identity() * (LAME.lambda * strain.trace()) + strain * (2.0 * LAME.mu);
        for law in [
            MaterialLaw::Green,
            MaterialLaw::Cauchy,
            MaterialLaw::StableNeoHookean,
            MaterialLaw::Corotated,
        ] {
            let at_rest = first_piola_kirchhoff_stress(&Mat3::identity(), &LAME, law);
            assert!(at_rest.norm() < 1e-9 * LAME.mu, "{law:?}");
            let p = first_piola_kirchhoff_stress(&(Mat3::identity() + strain), &LAME, law);
            assert!((p - linear).norm() < 1e-5 * linear.norm(), "{law:?}");
            // rotations are found to round-off
            let rest = strain_energy_density(&Mat3::identity(), &LAME, law);
            assert!(rest.abs() < 1e-20 * LAME.mu, "{law:?}");
        }
    }
}
