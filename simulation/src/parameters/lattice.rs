//! From the text of a scene to the parameters of the lattice.

use std::f64::consts::PI;

use pliant_core::material::FractureLimits;
use pliant_core::scene::{LatticeDescription, Method};
use pliant_lattice::{
    Fracture, LatticeAsset, LatticeParams, Masses, RotationMethod, ShapeMatching, Sums,
};

use super::choice::choice;
use super::vertex_weights::vertex_weights;
use crate::error::BuildError;
use crate::setup::Setup;

/// Largest strain at which links may break.
const MAX_BREAKING_STRAIN: f64 = 10.0;

/// What the scene asks of the lattice.
///
/// # Errors
/// [`BuildError::Scene`] names a key with a value that is not known.
pub(crate) fn lattice_params(setup: &Setup) -> Result<LatticeParams, BuildError> {
    let description = &setup.description.body.lattice;
    Ok(LatticeParams {
        half_width: description.half_width,
        alpha: description.alpha,
        steps: description.steps,
        frame_duration: setup.frame_duration(),
        sums: choice(setup, "lattice.sums", &description.sums, sums_named)?,
        precision: match description.double_precision {
            Some(true) => Some(pliant_lattice::Precision::Double),
            Some(false) => Some(pliant_lattice::Precision::Single),
            // groups of many small bodies need the speed
            None if setup.is_group() && description.sums.is_empty() => {
                Some(pliant_lattice::Precision::Single)
            }
            None => None,
        },
        // a group does not report energies
        energy_accounting: setup.is_group().then_some(false),
        masses: match vertex_weights(&description.weights, setup) {
            Some(weights) => Masses::Attribute(weights),
            None if description.equal_masses => Masses::Unit,
            None => Masses::Volume,
        },
        damp_globally: description.damp_globally,
        damp_every: description.damp_every,
        rotation: choice(
            setup,
            "lattice.rotation",
            &description.rotation,
            rotation_named,
        )?
        .unwrap_or(RotationMethod::Newton),
        stiffness: vertex_weights(&description.stiffness, setup),
        fit: !description.uncalibrated,
        regions_once: description.regions_once,
        fracture: fracture(setup),
        matching: choice(setup, "lattice.matching", &description.matching, |name| {
            matching_named(name, description.beta)
        })?
        .unwrap_or(ShapeMatching::Lattice),
        bones: description.bones.clone(),
        ..LatticeParams::default()
    })
}

/// What the scene asks of the lattice, with what follows from its cells.
///
/// # Errors
/// As [`lattice_params`]; [`BuildError::NotApplicable`] for a material that no strain of a link breaks.
pub(crate) fn lattice_params_of(
    setup: &Setup,
    asset: &LatticeAsset,
) -> Result<LatticeParams, BuildError> {
    let mut params = lattice_params(setup)?;
    let body = &setup.description.body;
    if body.lattice.toughness.is_none()
        && let Some(strain) =
            breaking_strain(&body.fracture, body.material.elastic.young, asset.cell)
    {
        if strain > MAX_BREAKING_STRAIN {
            let key = match body.fracture.toughness {
                Some(_) => "toughness",
                None => "strength",
            };
            return Err(BuildError::NotApplicable {
                method: Method::Lattice,
                code: "BadParameter".into(),
                reason: format!(
                    "with this `material.{key}` links would break at a strain of {strain:.3}, and they bear at most {MAX_BREAKING_STRAIN}\n  remedy: give a smaller `material.{key}` or a larger `material.young`"
                ),
            });
        }
        params.fracture = Some(fracture_at(strain, &body.lattice));
    }
    Ok(params)
}

/// The strain at which links of a lattice with cells of this size (m) break, for a material with this Young's modulus (Pa).
///
/// The stress ahead of a crack is `K / √(2π r)`. Half a cell ahead, where the next link is, it is `√(E G / (π h))` when the crack grows, so that it grows by the toughness
/// alone, whatever the cells. A material with a strength alone breaks at that.
fn breaking_strain(limits: &FractureLimits, young: f64, cell: f64) -> Option<f64> {
    let by_energy = |toughness: f64| (toughness / (PI * cell * young)).sqrt();
    let by_stress = |strength: f64| strength / young;
    limits
        .toughness
        .map(by_energy)
        .or(limits.strength.map(by_stress))
}

/// When links break: by strain, where the body has a toughness, and by blades, where the scene has any.
fn fracture(setup: &Setup) -> Option<Fracture> {
    let description = &setup.description.body.lattice;
    let by_strain = description
        .toughness
        .map(|strain| fracture_at(strain, description));
    let by_blades = setup.has_blades().then_some(Fracture::BY_BLADES_ALONE);
    by_strain.or(by_blades)
}

/// Links that break at this strain, as the scene says.
fn fracture_at(strain: f64, description: &LatticeDescription) -> Fracture {
    Fracture {
        toughness: strain,
        max_breaks: description
            .max_breaks
            .unwrap_or(Fracture::default().max_breaks),
        shortened_too: description.breaks_shortened,
    }
}

/// Which implementation of the sums over regions `lattice.sums` names.
fn sums_named(name: &str) -> Option<Sums> {
    match name {
        "naive" => Some(Sums::Naive),
        "bar-plate-cube" => Some(Sums::BarPlateCube),
        "running" => Some(Sums::Running),
        _ => None,
    }
}

/// How `lattice.rotation` finds rotations.
fn rotation_named(name: &str) -> Option<RotationMethod> {
    match name {
        "newton" => Some(RotationMethod::Newton),
        "jacobi-warm" => Some(RotationMethod::JacobiWarm),
        "jacobi-cold" => Some(RotationMethod::JacobiCold),
        _ => None,
    }
}

/// Which shape matching `lattice.matching` names; `beta` is the share of its linear or quadratic part.
fn matching_named(name: &str, beta: f64) -> Option<ShapeMatching> {
    match name {
        "lattice" => Some(ShapeMatching::Lattice),
        "rigid" => Some(ShapeMatching::Rigid),
        "linear" => Some(ShapeMatching::Linear { beta }),
        "quadratic" => Some(ShapeMatching::Quadratic { beta }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_break_by_toughness_where_there_is_one_and_by_strength_elsewhere() {
        let limits = |strength, toughness| FractureLimits {
            strength,
            toughness,
        };
        let strain = |limits| breaking_strain(&limits, 3e4, 0.0075);
        assert_eq!(strain(limits(None, None)), None);
        assert_eq!(strain(limits(Some(6e3), None)), Some(0.2));
        // the crack grows at K = √(E G), and half a cell ahead the stress is K / √(π h)
        let expected = (3e4_f64 * 20.0).sqrt() / (PI * 0.0075).sqrt() / 3e4;
        let found = strain(limits(Some(6e3), Some(20.0))).expect("a strain");
        assert!((found / expected - 1.0).abs() < 1e-12, "{found} {expected}");
        // cells of a quarter bear twice the strain
        let fine = breaking_strain(&limits(None, Some(20.0)), 3e4, 0.0075 / 4.0);
        assert!((fine.expect("a strain") / found - 2.0).abs() < 1e-12);
    }
}
