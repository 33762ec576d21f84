//! Stress measures of the material laws.

use crate::elasticity::strain::{green_strain, infinitesimal_strain};
use crate::material::{LameParameters, MaterialLaw};
use crate::math::Mat3;
use crate::math::polar::nearest_rotation;

/// Second Piola–Kirchhoff stress `S = λ tr(E) I + 2μE` of St. Venant–Kirchhoff, Pa (Debunne et al. 2001, Eq. 2, there σ = 2S).
#[allow(non_snake_case)]
pub fn second_piola_kirchhoff_stress(green_strain: &Mat3, lame: &LameParameters) -> Mat3 {
    let E = green_strain;
    Mat3::identity() * (lame.lambda * E.trace()) + E * (2.0 * lame.mu)
}

/// First Piola–Kirchhoff stress `P = ∂W/∂F` of a law, Pa.
///
/// Green: `P = F S`. Cauchy: `P = λ tr(ε) I + 2με`. Simplified: `P = (λ+μ) tr(H) I + μH`, `H = F − I`.
/// Stable neo-Hookean (Smith, de Goes, Kim 2018): `P = μ₄(1 − 1/(tr FᵀF + 1)) F + λ₄(det F − α) cof F` with
/// `μ₄ = 4μ/3`, `λ₄ = λ + 5μ/6`, `α = 1 + μ₄/λ₄ − μ₄/(4λ₄)`. Corotated (Chao et al. 2010): `P = 2μ (F − R) + λ tr(RᵀF − I) R` with the rotation `R` nearest to `F`.
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
    }
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

/// Cofactor matrix `∂ det F/∂F`.
pub fn cofactor(f: &Mat3) -> Mat3 {
    let [a, b, c] = [0, 1, 2].map(|k| f.column(k).into_owned());
    Mat3::from_columns(&[b.cross(&c), c.cross(&a), a.cross(&b)])
}

/// Cauchy stress `J⁻¹ P Fᵀ`, Pa, for display.
#[allow(non_snake_case)]
pub fn cauchy_stress(F: &Mat3, lame: &LameParameters, law: MaterialLaw) -> Mat3 {
    first_piola_kirchhoff_stress(F, lame, law) * F.transpose() / F.determinant()
}
