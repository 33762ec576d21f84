//! Material laws: strain energy, the stress that is its derivative, and bounds of the stiffness of deformed elements.

use crate::elasticity::strain::{green_strain, infinitesimal_strain};
use crate::elasticity::stress::{cofactor, second_piola_kirchhoff_stress};
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
        MaterialLaw::NeoHookean => {
            let v = LogVolume::new(F.determinant(), lame);
            lame.mu / 2.0 * (F.norm_squared() - 3.0) + v.energy
        }
    }
}

/// First Piola–Kirchhoff stress `P = ∂W/∂F` of a law, Pa.
///
/// Green: `P = F S`. Cauchy: `P = λ tr(ε) I + 2με`. Simplified: `P = (λ+μ) tr(H) I + μH`, `H = F − I`.
/// Stable neo-Hookean (Smith, de Goes, Kim 2018): `P = μ₄(1 − 1/(tr FᵀF + 1)) F + λ₄(det F − α) cof F` with
/// `μ₄ = 4μ/3`, `λ₄ = λ + 5μ/6`, `α = 1 + μ₄/λ₄ − μ₄/(4λ₄)`. Corotated (Chao et al. 2010): `P = 2μ (F − R) + λ tr(RᵀF − I) R` with the rotation `R` nearest to `F`.
/// Neo-Hookean (Bonet, Wood 2008): `W = μ/2 (tr FᵀF − 3) − μ ln J + λ/2 (ln J)²`, `P = μ F + (λ ln J − μ)/J cof F`, `J = det F`.
#[allow(non_snake_case)]
pub fn first_piola_kirchhoff_stress(F: &Mat3, lame: &LameParameters, law: MaterialLaw) -> Mat3 {
    match law {
        MaterialLaw::Green => F * second_piola_kirchhoff_stress(&green_strain(F), lame),
        MaterialLaw::Cauchy => second_piola_kirchhoff_stress(&infinitesimal_strain(F), lame),
        MaterialLaw::SimplifiedCauchy => {
            let H = F - Mat3::identity();
            Mat3::identity() * ((lame.lambda + lame.mu) * H.trace()) + H * lame.mu
        }
        MaterialLaw::StableNeoHookean => {
            let n = NeoHookeanConstants::from(*lame);
            let ic = F.norm_squared();
            F * (n.mu * (1.0 - 1.0 / (ic + 1.0)))
                + cofactor(F) * (n.lambda * (F.determinant() - n.alpha))
        }
        MaterialLaw::Corotated => {
            let R = nearest_rotation(F);
            (F - R) * (2.0 * lame.mu) + R * (lame.lambda * (R.dot(F) - 3.0))
        }
        MaterialLaw::NeoHookean => {
            F * lame.mu + cofactor(F) * LogVolume::new(F.determinant(), lame).slope
        }
    }
}

/// Cauchy stress `J⁻¹ P Fᵀ`, Pa, for display.
#[allow(non_snake_case)]
pub fn cauchy_stress(F: &Mat3, lame: &LameParameters, law: MaterialLaw) -> Mat3 {
    first_piola_kirchhoff_stress(F, lame, law) * F.transpose() / F.determinant()
}

/// Equivalent stress of von Mises of a Cauchy stress, `√(3/2) ‖σ − tr(σ)/3 I‖`, Pa.
pub fn von_mises(stress: &Mat3) -> f64 {
    let deviator = stress - Mat3::identity() * (stress.trace() / 3.0);
    1.5_f64.sqrt() * deviator.norm()
}

/// The stable neo-Hookean constants that reproduce λ and μ at small strain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NeoHookeanConstants {
    /// μ₄ = 4μ/3, Pa.
    pub mu: f64,
    /// λ₄ = λ + 5μ/6, Pa.
    pub lambda: f64,
    /// Rest-stability shift α.
    pub alpha: f64,
}

impl From<LameParameters> for NeoHookeanConstants {
    fn from(lame: LameParameters) -> Self {
        let mu = 4.0 * lame.mu / 3.0;
        let lambda = lame.lambda + 5.0 * lame.mu / 6.0;
        Self {
            mu,
            lambda,
            alpha: 1.0 + mu / lambda - mu / (4.0 * lambda),
        }
    }
}

/// Volume ratio below which the volumetric neo-Hookean energy is continued along its tangent: the logarithm is undefined where an element is flat or inverted.
pub const NEO_HOOKEAN_LIMIT: f64 = 0.2;
/// The logarithm of [`NEO_HOOKEAN_LIMIT`], as a constant, so that results do not depend on the rounding of a library.
const LOG_LIMIT: f64 = -1.609_437_912_434_100_3;

/// The volumetric part `U(J) = −μ ln J + λ/2 (ln J)²` of the neo-Hookean energy with its first and second derivative.
struct LogVolume {
    energy: f64,
    slope: f64,
    curvature: f64,
}

impl LogVolume {
    fn new(determinant: f64, lame: &LameParameters) -> Self {
        let LameParameters { lambda, mu } = *lame;
        let (j, log) = if determinant > NEO_HOOKEAN_LIMIT {
            (determinant, determinant.ln())
        } else {
            (NEO_HOOKEAN_LIMIT, LOG_LIMIT)
        };
        let slope = (lambda * log - mu) / j;
        Self {
            energy: log * (lambda / 2.0 * log - mu) + slope * (determinant - j),
            slope,
            curvature: (lambda * (1.0 - log) + mu) / (j * j),
        }
    }
}

/// How much stiffer an element becomes when it is deformed, by the law. Its constants are computed once for many elements.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum StiffnessGrowth {
    /// St. Venant–Kirchhoff.
    Green(LameParameters),
    /// Stable neo-Hookean.
    StableNeoHookean(NeoHookeanConstants),
    /// Neo-Hookean with the logarithm of the volume ratio.
    NeoHookean(LameParameters),
    /// The stiffness does not grow.
    Constant,
}

impl StiffnessGrowth {
    /// The growth under a law.
    pub fn new(law: MaterialLaw, lame: LameParameters) -> Self {
        match law {
            MaterialLaw::Green => Self::Green(lame),
            MaterialLaw::StableNeoHookean => Self::StableNeoHookean(lame.into()),
            MaterialLaw::NeoHookean => Self::NeoHookean(lame),
            MaterialLaw::Cauchy | MaterialLaw::SimplifiedCauchy | MaterialLaw::Corotated => {
                Self::Constant
            }
        }
    }

    /// Upper bound of `λ_max(K(F)) / λ_max(K(I))` for `c = FᵀF`, its largest eigenvalue `stretch_squared`, and `det F`.
    pub fn bound(&self, c: &Mat3, stretch_squared: f64, determinant: f64) -> f64 {
        match self {
            Self::Green(lame) => {
                // material part ≤ s² K(I), geometric part ≤ σ_max(S)/(λ + 2μ) K(I)
                let strain = 0.5 * (stretch_squared - 1.0);
                let tension = lame.lambda * 0.5 * (c.trace() - 3.0) + 2.0 * lame.mu * strain;
                stretch_squared + tension.max(0.0) / (lame.lambda + 2.0 * lame.mu)
            }
            Self::StableNeoHookean(n) => {
                let bound = |ic: f64, stretch: f64, area_squared: f64, j: f64| {
                    n.mu * (1.0 - 1.0 / (ic + 1.0))
                        + 2.0 * n.mu * ic / (ic + 1.0).powi(2)
                        + n.lambda * area_squared
                        + n.lambda * (j - n.alpha).abs() * stretch
                };
                let areas = largest_eigenvalue_bound(&cofactor(c));
                bound(c.trace(), stretch_squared.sqrt(), areas, determinant)
                    / bound(3.0, 1.0, 1.0, 1.0)
            }
            Self::NeoHookean(lame) => {
                // Hessian: μ dF:dF + U″ (cof F:dF)² + U′ d²J. At rest the stiffest motion is an elongation, for which d²J is zero.
                let v = LogVolume::new(determinant, lame);
                let areas = largest_eigenvalue_bound(&cofactor(c));
                let geometric = v.slope.abs() * stretch_squared.sqrt() - lame.mu;
                let largest = lame.mu + v.curvature.max(0.0) * areas + geometric.max(0.0);
                largest / (lame.lambda + 2.0 * lame.mu)
            }
            Self::Constant => 1.0,
        }
    }
}

/// Upper bound of the largest eigenvalue of a symmetric matrix from its trace and the norm of its deviator; exact for multiples of
/// the identity and for a double smaller eigenvalue.
pub fn largest_eigenvalue_bound(c: &Mat3) -> f64 {
    let mean = c.trace() / 3.0;
    let deviator = c - Mat3::identity() * mean;
    mean + (2.0 / 3.0_f64).sqrt() * deviator.norm()
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::math::Vec3;

    const LAME: LameParameters = LameParameters {
        lambda: 5.0e5,
        mu: 4.0e5,
    };

    #[test]
    fn every_law_has_the_same_small_strain_moduli_and_no_rest_stress() {
        let strain = Mat3::new(1.0, 0.3, -0.2, 0.3, -0.5, 0.1, -0.2, 0.1, 0.7) * 1e-6;
        let linear = Mat3::identity() * (LAME.lambda * strain.trace()) + strain * (2.0 * LAME.mu);
        let simplified = MaterialLaw::SimplifiedCauchy;
        for law in MaterialLaw::ALL
            .into_iter()
            .filter(|law| *law != simplified)
        {
            let at_rest = first_piola_kirchhoff_stress(&Mat3::identity(), &LAME, law);
            assert!(at_rest.norm() < 1e-9 * LAME.mu, "{law:?}");
            let p = first_piola_kirchhoff_stress(&(Mat3::identity() + strain), &LAME, law);
            assert!((p - linear).norm() < 1e-5 * linear.norm(), "{law:?}");
            // rotations are exact to round-off
            let rest = strain_energy_density(&Mat3::identity(), &LAME, law);
            assert!(rest.abs() < 1e-20 * LAME.mu, "{law:?}");
        }
    }

    #[test]
    fn a_neo_hookean_element_resists_compression_however_flat_or_inverted_it_is() {
        let law = MaterialLaw::NeoHookean;
        let pressed = |height: f64| Mat3::from_diagonal(&Vec3::new(1.1, 0.9, height));
        let mut before = 0.0;
        for k in 0..60 {
            let height = 0.95 - 0.04 * f64::from(k);
            let (f, step) = (pressed(height), 1e-6);
            let p = first_piola_kirchhoff_stress(&f, &LAME, law);
            assert!(p[(2, 2)] < before, "{height}: the stress grows");
            before = p[(2, 2)];
            let energy = |height: f64| strain_energy_density(&pressed(height), &LAME, law);
            let slope = (energy(height + step) - energy(height - step)) / (2.0 * step);
            assert!((slope - p[(2, 2)]).abs() < 1e-5 * p.norm(), "{height}");
        }
        // energy and stress are continuous at the limit
        let at = |j: f64| LogVolume::new(j, &LAME);
        let (below, above) = (at(NEO_HOOKEAN_LIMIT - 1e-9), at(NEO_HOOKEAN_LIMIT + 1e-9));
        assert!((below.energy - above.energy).abs() < 1e-7 * above.energy);
        assert!((below.slope - above.slope).abs() < 1e-7 * above.slope.abs());
        assert_eq!(LOG_LIMIT, NEO_HOOKEAN_LIMIT.ln());
    }

    #[test]
    fn the_stiffness_growth_of_a_neo_hookean_element_bounds_the_curvature_of_its_energy() {
        let law = MaterialLaw::NeoHookean;
        let growth = StiffnessGrowth::new(law, LAME);
        for k in 0..40 {
            let t = f64::from(k);
            let stretch = Vec3::new((0.9 * t).sin(), (1.7 * t).cos(), (2.3 * t).sin()) * 0.7;
            let f = Mat3::from_diagonal(&stretch.add_scalar(1.0));
            let c = f.transpose() * f;
            let stretch_squared = largest_eigenvalue_bound(&c);
            let bound = growth.bound(&c, stretch_squared, f.determinant());
            for (i, j) in [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)] {
                let step = 1e-5;
                let stress = |sign: f64| {
                    let mut g = f;
                    g[(i, j)] += sign * step;
                    first_piola_kirchhoff_stress(&g, &LAME, law)[(i, j)]
                };
                let curvature = (stress(1.0) - stress(-1.0)) / (2.0 * step);
                // the largest at rest is that of an elongation, λ + 2μ
                let found = curvature / (LAME.lambda + 2.0 * LAME.mu);
                assert!(found < 1.001 * bound, "{k} {i}{j}: {found} above {bound}");
            }
        }
    }
}
