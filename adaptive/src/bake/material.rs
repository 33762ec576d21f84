//! Checks of the material.

use pliant_core::material::{Damping, Material};

use crate::bake::error::AdaptiveBakeError;

pub(crate) fn check_material(material: &Material) -> Result<(), AdaptiveBakeError> {
    let bad = |what| Err(AdaptiveBakeError::BadMaterial { what });
    let positive = |x: f64| x.is_finite() && x > 0.0;
    let at_least_zero = |x: f64| x.is_finite() && x >= 0.0;
    if !positive(material.elastic.young) {
        return bad("young");
    }
    if !(material.elastic.poisson > -1.0 && material.elastic.poisson < 0.5) {
        return bad("poisson");
    }
    if !positive(material.density) {
        return bad("density");
    }
    let damping_is_good = match material.damping {
        Damping::Ratio(zeta) => at_least_zero(zeta),
        // with ψ ≥ 0 and 3φ + 2ψ ≥ 0 no motion gains energy
        Damping::Parameters(d) => at_least_zero(d.psi) && at_least_zero(3.0 * d.phi + 2.0 * d.psi),
    };
    if !damping_is_good {
        return bad("damping");
    }
    Ok(())
}
