//! From the text of a scene to the parameters of the lattice.

use std::f64::consts::PI;

use pliant_core::material::FractureLimits;
use pliant_core::scene::{LatticeDescription, Method};
use pliant_lattice::{Fracture, LatticeAsset, LatticeParams, Masses};

use super::vertex_weights::vertex_weights;
use crate::error::BuildError;
use crate::setup::Setup;

/// Largest strain at which links may break.
const MAX_BREAKING_STRAIN: f64 = 10.0;

/// What the scene asks of the lattice.
pub(crate) fn lattice_params(setup: &Setup) -> LatticeParams {
    let description = &setup.description.body.lattice;
    LatticeParams {
        half_width: description.half_width,
        alpha: description.alpha,
        steps: description.steps,
        frame_duration: setup.frame_duration(),
        sums: description.sums,
        precision: match description.double_precision {
            Some(true) => Some(pliant_lattice::Precision::Double),
            Some(false) => Some(pliant_lattice::Precision::Single),
            // groups of many small bodies need the speed
            None if setup.is_group() && description.sums.is_none() => {
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
        rotation: description.rotation,
        stiffness: vertex_weights(&description.stiffness, setup),
        fit: !description.uncalibrated,
        regions_once: description.regions_once,
        fracture: fracture(setup),
        matching: description.matching,
        bones: description.bones.clone(),
        ..LatticeParams::default()
    }
}

/// What the scene asks of the lattice, with what follows from its cells.
///
/// # Errors
/// [`BuildError::NotApplicable`] for a material that no strain of a link breaks.
pub(crate) fn lattice_params_of(
    setup: &Setup,
    asset: &LatticeAsset,
) -> Result<LatticeParams, BuildError> {
    let mut params = lattice_params(setup);
    let body = &setup.description.body;
    if body.lattice.toughness.is_none()
        && let Some(BreakingStrain { strain, key }) =
            breaking_strain(&body.fracture, body.material.elastic.young, asset.cell)
    {
        if strain > MAX_BREAKING_STRAIN {
            return Err(BuildError::NotApplicable {
                method: Method::Lattice,
                code: "BadParameter".into(),
                reason: format!(
                    "with this `material.{key}` links would break at a strain of {strain:.3}, but at most {MAX_BREAKING_STRAIN} is supported\n  remedy: give a smaller `material.{key}` or a larger `material.young`"
                ),
            });
        }
        params.fracture = Some(fracture_at(strain, &body.lattice));
    }
    Ok(params)
}

/// The strain at which links break, and the key of the material that determines it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct BreakingStrain {
    strain: f64,
    key: &'static str,
}

/// The strain at which links of a lattice with cells of this size `h` (m) break, for a material with this Young's modulus `E` (Pa).
///
/// A toughness `G` alone gives `√(G / (π h E))`. The stress at a distance `r` ahead of a crack is `K / √(2π r)` (Irwin 1957), and the crack grows when `K² = E G`. Half a cell
/// ahead, where the next link is, that is the stress `√(E G / (π h))`: a crack grows by the toughness alone, whatever the cells. A strength `σ` alone gives `σ / E`.
///
/// With both it is the smaller strain. No link bears more than the strength, and no crack bears more than the toughness allows. Both limits are the same for cells of the size
/// `E G / (π σ²)`, which is about that of the zone in which the material separates (Irwin 1960; Hillerborg, Modéer, Petersson 1976).
///
/// - Larger cells smear the stress at a crack, which has to grow before a link bears the strength: the energy decides. A body without a notch then breaks below its strength.
///   This is the equivalent strength of Cedolin and Bažant (1980), with which cracks through meshes of very different size grow at the same load.
/// - Smaller cells show the stress within that zone, where the material bears no more than its strength: the stress decides. A link breaks at once, without the work of a slow
///   separation, so that a notched body breaks below the load of Griffith.
///
/// With other cells no single strain is right for both bodies: a link does not know whether it begins a crack or continues one. The larger strain would be right for the body
/// that is too weak with the smaller one, and would make the other one too strong by the same factor, beyond a limit that the scene gives.
fn breaking_strain(limits: &FractureLimits, young: f64, cell: f64) -> Option<BreakingStrain> {
    let by_energy = limits.toughness.map(|toughness| BreakingStrain {
        strain: (toughness / (PI * cell * young)).sqrt(),
        key: "toughness",
    });
    let by_stress = limits.strength.map(|strength| BreakingStrain {
        strain: strength / young,
        key: "strength",
    });
    let both = by_energy.into_iter().chain(by_stress);
    both.min_by(|a, b| a.strain.total_cmp(&b.strain))
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Pa
    const YOUNG: f64 = 3e4;
    /// m
    const CELL: f64 = 0.0075;

    fn found(strength: Option<f64>, toughness: Option<f64>, cell: f64) -> Option<BreakingStrain> {
        let limits = FractureLimits {
            strength,
            toughness,
        };
        breaking_strain(&limits, YOUNG, cell)
    }

    fn strain(strength: Option<f64>, toughness: Option<f64>, cell: f64) -> f64 {
        found(strength, toughness, cell).expect("a limit").strain
    }

    #[test]
    fn links_break_by_the_one_limit_that_a_material_has() {
        assert_eq!(found(None, None, CELL), None);
        assert_eq!(strain(Some(6e3), None, CELL), 0.2);
        // the crack grows at K = √(E G), and half a cell ahead the stress is K / √(π h)
        let expected = (YOUNG * 20.0).sqrt() / (PI * CELL).sqrt() / YOUNG;
        let by_energy = strain(None, Some(20.0), CELL);
        assert!((by_energy / expected - 1.0).abs() < 1e-12, "{by_energy}");
        // cells of a quarter bear twice the strain
        let fine = strain(None, Some(20.0), CELL / 4.0);
        assert!((fine / by_energy - 2.0).abs() < 1e-12);
    }

    #[test]
    fn of_strength_and_toughness_the_one_decides_that_breaks_a_link_first() {
        let (strength, toughness) = (Some(6e3), Some(20.0));
        // very large limits and very small ones
        for large in [1e6, 1e12] {
            let (by_stress, by_energy) =
                (found(strength, None, CELL), found(None, toughness, CELL));
            assert_eq!(found(strength, Some(large), CELL), by_stress);
            assert_eq!(found(Some(large), toughness, CELL), by_energy);
            let small = Some(1.0 / large);
            assert_eq!(found(strength, small, CELL), found(None, small, CELL));
            assert_eq!(found(small, toughness, CELL), found(small, None, CELL));
        }
        // both limits are the same for cells of this size: smaller ones break by stress, larger ones by energy
        let size = YOUNG * 20.0 / (PI * 6e3_f64.powi(2));
        let both = |factor: f64| found(strength, toughness, factor * size).expect("limits");
        assert!((both(1.0).strain / 0.2 - 1.0).abs() < 1e-12);
        assert_eq!((both(0.9).key, both(1.1).key), ("strength", "toughness"));
        assert_eq!(both(0.25).strain, 0.2);
        assert!((both(4.0).strain / 0.1 - 1.0).abs() < 1e-12);
    }
}
