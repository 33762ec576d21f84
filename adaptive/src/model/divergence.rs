//! Whether a frame has diverged, and the message if it has.

use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::Vec3;
use pliant_core::model::EnergyAccount;

use crate::model::adaptive_model::AdaptiveModel;
use crate::model::cut_body::state::CutBody;
use crate::step::multirate::{CutDynamics, Group};

/// Ratio of the kinetic energy to the reference energy above which a frame has diverged.
const EXPLOSION_RATIO: f64 = 1e3;
/// Strain of the whole body whose energy is part of the reference energy.
const REFERENCE_STRAIN: f64 = 0.1;
/// Motion of a constraint in one frame, over the body's diagonal, that is too fast to follow.
const MAX_CONSTRAINT_MOTION: f64 = 0.2;

/// Largest work of one frame, in tetrahedron evaluations: about a minute.
const MAX_WORK: u64 = 2_000_000_000;

/// Why a frame is not computed: it needs so many steps that it would take more than about a minute. `None` for a frame that can be computed.
pub(crate) fn refusal(model: &AdaptiveModel) -> Option<String> {
    let elements = model.dynamics.field.element_count();
    if u64::from(model.substeps).saturating_mul(elements as u64) <= MAX_WORK {
        return None;
    }
    let level = model.moving_level();
    let stiffest = level
        .frequencies
        .iter()
        .enumerate()
        .fold((0, 0.0), |a, (t, &f)| if f > a.1 { (t, f) } else { a });
    Some(format!(
        "{} steps a frame would be needed; the stiffest tetrahedron, {} of level {}, swings at {:.2e} rad/s",
        model.substeps, stiffest.0, model.level, stiffest.1
    ))
}

/// The symptom of an invalid state of a level, if it is invalid.
pub(crate) fn level_symptom(model: &AdaptiveModel, energy: &EnergyAccount) -> Option<String> {
    let mass: f64 = model.dynamics.masses.iter().sum();
    // forces that diverge increase the second one first
    let kinetic = model.dynamics.kinetic_energy().max(energy.kinetic);
    symptom(model, mass, kinetic, model.dynamics.is_finite(), energy)
}

/// Kinetic energy (J) above which a frame has diverged if the other energies of the body are `energies` (J).
pub(crate) fn explosion_energy(model: &AdaptiveModel, energies: f64) -> f64 {
    let mass: f64 = model.dynamics.masses.iter().sum();
    EXPLOSION_RATIO * (elastic_scale(model, mass) + energies)
}

/// Strain energy of a body of that mass (kg) under the reference strain, J.
fn elastic_scale(model: &AdaptiveModel, mass: f64) -> f64 {
    let material = &model.asset.material;
    let volume = mass / material.density;
    0.5 * material.elastic.young * REFERENCE_STRAIN.powi(2) * volume
}

/// The symptom of an invalid state with this mass (kg) and kinetic energy (J), if it is invalid.
fn symptom(
    model: &AdaptiveModel,
    mass: f64,
    kinetic: f64,
    is_finite: bool,
    energy: &EnergyAccount,
) -> Option<String> {
    let reference = elastic_scale(model, mass) + energy.work.abs() + energy.potential.abs();
    if !is_finite || !(kinetic + energy.kinetic).is_finite() {
        Some("a number is not finite".to_string())
    } else if kinetic > EXPLOSION_RATIO * reference {
        Some(reached(kinetic))
    } else {
        None
    }
}

/// The symptom of a state whose kinetic energy is too large, J.
pub(crate) fn reached(kinetic: f64) -> String {
    format!("the kinetic energy reached {kinetic:.2e} J")
}

/// [`refusal`] for a cut.
pub(crate) fn cut_refusal(dynamics: &CutDynamics) -> Option<String> {
    let work = |g: &Group| (g.element_count() as u64) << g.level();
    let parts = u64::from(dynamics.steps().parts());
    let total: u64 = parts * dynamics.groups().iter().map(work).sum::<u64>();
    let stiffest = dynamics.groups().last()?;
    (total > MAX_WORK || dynamics.steps.exceeds_deepest).then(|| {
        format!(
            "{} steps a frame would be needed for {} tetrahedra",
            parts << stiffest.level(),
            stiffest.element_count()
        )
    })
}

/// [`level_symptom`] for a cut.
pub(crate) fn cut_symptom(
    model: &AdaptiveModel,
    body: &CutBody,
    energy: &EnergyAccount,
) -> Option<String> {
    let dynamics = &body.dynamics;
    let mass = dynamics.forest.mass();
    let kinetic = dynamics.kinetic_energy().max(energy.kinetic);
    symptom(model, mass, kinetic, dynamics.is_finite(), energy)
}

/// [`cause`] for a cut.
pub(crate) fn cut_cause(body: &CutBody, too_fast: Option<String>, duration: f64) -> String {
    let dynamics = &body.dynamics;
    let forest = dynamics.cut().forest();
    too_fast.unwrap_or_else(|| {
        let ratio = |t: u32, x: &[Vec3]| {
            let corners = forest.tets()[t as usize].map(|n| x[n as usize]);
            forest.shape(t).gradient_of(corners).determinant()
        };
        let most_compressed = |x: &[Vec3]| {
            let all = dynamics.cut().evaluated().map(|t| (t, ratio(t, x)));
            all.min_by(|a, b| a.1.total_cmp(&b.1))
        };
        let name = |t: u32| {
            let (level, index) = forest.tet_level_and_index(t);
            format!("tetrahedron {index} of level {level}")
        };
        match (
            most_compressed(&body.good_positions()),
            most_compressed(dynamics.positions()),
        ) {
            (Some((t, r)), _) if r <= 0.0 => {
                format!("{} was inside out (det F = {r:.3})", name(t))
            }
            (_, Some((t, r))) => {
                let steps = dynamics.steps();
                let step = duration / f64::from(steps.parts() << steps.level(t));
                format!(
                    "the step of {step:.2e} s was too large for {} (det F = {r:.3})",
                    name(t)
                )
            }
            _ => "no single tetrahedron is the cause".to_string(),
        }
    })
}

/// A sentence about the fastest constraint, if it moves too fast for the body to follow.
pub(crate) fn too_fast(
    model: &AdaptiveModel,
    boundary: &BoundaryConditions,
    duration: f64,
) -> Option<String> {
    let diagonal = model.asset.skin.bounds().diagonal();
    let fastest = boundary
        .displacements()
        .iter()
        .map(|c| (c.velocity.norm() * duration, c.vertex))
        .fold((0.0, 0), |a, b| if b.0 > a.0 { b } else { a });
    (fastest.0 > MAX_CONSTRAINT_MOTION * diagonal).then(|| {
        format!(
            "an imposed displacement is too fast: skin vertex {} is moved {:.3} m in one frame",
            fastest.1, fastest.0
        )
    })
}

/// The cause of an invalid state of a level: `too_fast` if there is such a constraint, or else the tetrahedron with the smallest volume ratio.
pub(crate) fn cause(model: &AdaptiveModel, too_fast: Option<String>, duration: f64) -> String {
    if let Some(cause) = too_fast {
        return cause;
    }
    let level = model.level;
    if let Some((tet, ratio)) = smallest_volume_ratio(model, &model.last_good.0)
        && ratio <= 0.0
    {
        return format!("tetrahedron {tet} of level {level} was inside out (det F = {ratio:.3})");
    }
    match smallest_volume_ratio(model, &model.dynamics.positions) {
        Some((tet, ratio)) => format!(
            "the step of {:.2e} s was too large for tetrahedron {tet} of level {level} (det F = {ratio:.3})",
            duration / f64::from(model.substeps.max(1))
        ),
        None => "no single tetrahedron is the cause".to_string(),
    }
}

/// The tetrahedron with the smallest volume ratio; one that is not finite comes first.
fn smallest_volume_ratio(model: &AdaptiveModel, positions: &[Vec3]) -> Option<(usize, f64)> {
    let level = model.moving_level();
    let mut worst: Option<(usize, f64)> = None;
    for (t, (tet, shape)) in level.mesh.tets.iter().zip(level.shapes.iter()).enumerate() {
        let ratio = shape
            .gradient_of(tet.map(|n| positions[n as usize]))
            .determinant();
        if !ratio.is_finite() {
            return Some((t, ratio));
        }
        if worst.is_none_or(|(_, w)| ratio < w) {
            worst = Some((t, ratio));
        }
    }
    worst
}
