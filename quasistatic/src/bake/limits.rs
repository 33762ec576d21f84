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
    match nodes > params.max_boundary_nodes {
        true => Err(too_many_columns(nodes, params)),
        false => Ok(()),
    }
}

/// More columns than the limit, or than memory can hold.
pub(crate) fn too_many_columns(nodes: usize, params: &QuasistaticParams) -> BakeError {
    let bytes = [9, nodes, nodes, params.precision.bytes()];
    BakeError::TooManyColumns {
        nodes,
        megabytes: bytes.into_iter().fold(1, usize::saturating_mul) / 1_000_000,
        limit: params.max_boundary_nodes,
    }
}
