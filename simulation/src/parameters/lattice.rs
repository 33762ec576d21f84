//! From the text of a scene to the parameters of the lattice.

use pliant_lattice::{Fracture, LatticeParams, Masses, RotationMethod, ShapeMatching, Sums};

use super::choice::choice;
use super::vertex_weights::vertex_weights;
use crate::error::BuildError;
use crate::setup::Setup;

/// What the scene asks of the lattice.
///
/// # Errors
/// [`BuildError::Scene`] names a key with a value that is not known.
pub(crate) fn lattice_params(setup: &Setup) -> Result<LatticeParams, BuildError> {
    let wanted = &setup.description.body.lattice;
    Ok(LatticeParams {
        half_width: wanted.half_width,
        alpha: wanted.alpha,
        steps: wanted.steps,
        frame_duration: setup.frame_duration(),
        sums: choice(setup, "lattice.sums", &wanted.sums, sums_named)?,
        precision: match wanted.double_precision {
            Some(true) => Some(pliant_lattice::Precision::Double),
            Some(false) => Some(pliant_lattice::Precision::Single),
            // groups of many small bodies need the speed
            None if setup.is_group() && wanted.sums.is_empty() => {
                Some(pliant_lattice::Precision::Single)
            }
            None => None,
        },
        // a group does not report energies
        energy_accounting: setup.is_group().then_some(false),
        masses: match vertex_weights(&wanted.weights, setup) {
            Some(weights) => Masses::Attribute(weights),
            None if wanted.equal_masses => Masses::Unit,
            None => Masses::Volume,
        },
        damp_globally: wanted.damp_globally,
        damp_every: wanted.damp_every,
        rotation: choice(setup, "lattice.rotation", &wanted.rotation, rotation_named)?
            .unwrap_or(RotationMethod::Newton),
        stiffness: vertex_weights(&wanted.stiffness, setup),
        fit: !wanted.uncalibrated,
        regions_once: wanted.regions_once,
        fracture: fracture(setup),
        matching: choice(setup, "lattice.matching", &wanted.matching, |name| {
            matching_named(name, wanted.beta)
        })?
        .unwrap_or(ShapeMatching::Lattice),
        bones: wanted.bones.clone(),
        ..LatticeParams::default()
    })
}

/// When links break: by strain, where the body has a toughness, and by blades, where the scene has any.
fn fracture(setup: &Setup) -> Option<Fracture> {
    let wanted = &setup.description.body.lattice;
    let by_strain = wanted.toughness.map(|toughness| Fracture {
        toughness,
        max_breaks: wanted.max_breaks.unwrap_or(Fracture::default().max_breaks),
        shortened_too: wanted.breaks_shortened,
    });
    let is_cut = setup.description.blades().next().is_some();
    by_strain.or(is_cut.then_some(Fracture::BY_BLADES_ALONE))
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
