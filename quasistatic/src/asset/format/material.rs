//! The material as numbers.

use pliant_core::material::{Damping, DampingParameters, Material, MaterialLaw, YoungPoisson};

use super::error::AssetFormatError;

pub(super) fn material_numbers(material: &Material) -> [f64; 7] {
    let (kind, a, b) = match material.damping {
        Damping::Ratio(ratio) => (0.0, ratio, 0.0),
        Damping::Parameters(p) => (1.0, p.phi, p.psi),
    };
    let law = f64::from(material.law.number());
    let elastic = material.elastic;
    [
        elastic.young,
        elastic.poisson,
        material.density,
        kind,
        a,
        b,
        law,
    ]
}

pub(super) fn material_from(numbers: &[f64]) -> Result<Material, AssetFormatError> {
    let invalid = AssetFormatError::Invalid { what: "material" };
    let &[young, poisson, density, kind, a, b, law] = numbers else {
        return Err(invalid);
    };
    let mut laws = MaterialLaw::ALL.into_iter();
    let Some(law) = laws.find(|known| f64::from(known.number()) == law) else {
        return Err(invalid);
    };
    let damping = match kind {
        0.0 => Damping::Ratio(a),
        1.0 => Damping::Parameters(DampingParameters { phi: a, psi: b }),
        _ => return Err(invalid),
    };
    if !(young > 0.0 && young.is_finite()) {
        return Err(invalid);
    }
    Ok(Material {
        elastic: YoungPoisson { young, poisson },
        density,
        damping,
        law,
    })
}
