//! Stress measures.

use crate::material::LameParameters;
use crate::math::Mat3;

/// Second Piola–Kirchhoff stress `S = λ tr(E) I + 2μE` of St. Venant–Kirchhoff, Pa (Debunne et al. 2001, Eq. 2, there σ = 2S).
#[allow(non_snake_case)]
pub fn second_piola_kirchhoff_stress(green_strain: &Mat3, lame: &LameParameters) -> Mat3 {
    let E = green_strain;
    Mat3::identity() * (lame.lambda * E.trace()) + E * (2.0 * lame.mu)
}

/// Cofactor matrix `∂ det F/∂F`.
pub fn cofactor(f: &Mat3) -> Mat3 {
    let [a, b, c] = [0, 1, 2].map(|k| f.column(k).into_owned());
    Mat3::from_columns(&[b.cross(&c), c.cross(&a), a.cross(&b)])
}
