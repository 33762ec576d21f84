//! Checks before every bake: valid material constants, and no more columns than the limit.

use pliant_core::material::Material;

use crate::error::BakeError;
use crate::params::QuasistaticParams;

/// Refuses invalid constants.
pub(crate) fn check_material(material: &Material) -> Result<(), BakeError> {
    let (young, nu) = (material.elastic.young, material.elastic.poisson);
    let invalid = |name, value| Err(BakeError::InvalidMaterial { name, value });
    if !(young.is_finite() && young > 0.0) {
        return invalid("Young's modulus", young);
    }
    if !(nu > -1.0 && nu <= 0.5) {
        return invalid("Poisson's ratio", nu);
    }
    if !(material.density.is_finite() && material.density >= 0.0) {
        return invalid("density", material.density);
    }
    Ok(())
}

/// Refuses more columns than the limit.
pub(crate) fn check_size(nodes: usize, params: &QuasistaticParams) -> Result<(), BakeError> {
    let limit = params.max_boundary_nodes;
    if nodes > limit {
        let megabytes = 9 * nodes * nodes * params.precision.bytes() / 1_000_000;
        return Err(BakeError::TooManyColumns {
            nodes,
            megabytes,
            limit,
        });
    }
    Ok(())
}
