//! A stiffness factor for each level, found when the body is baked, so that all levels vibrate alike.
//!
//! Linear tetrahedra are too stiff where they are large: a cube swings 12 % too fast with 27 nodes and 5.5 % with 137. Coarse levels can also be thicker than the body.
//! Here each level gets one factor on its Lamé parameters, with which its lowest modes under the body's supports have the squared frequencies of the finest level's.
//!
//! 1. The lowest modes of every level are computed, from coarse to fine. A level's modes, prolongated to the next level by its stencils, are the initial guess there.
//! 2. A level's modes `ψ_j`, prolongated to the finest level, are compared with its lowest three `φ_k` by shape: `a_kj = (φ_k·Mψ_j)²/|ψ_j|²`. The compliance of the level in
//!    the shape `φ_k` is `c_k = Σ_j a_kj/ω_j² / Σ_j a_kj`. So modes that change places, or mix because they are equally fast, need no numbering. (The mean is over
//!    compliances, since otherwise a trace of a fast mode would count too much.)
//! 3. The factor is the mean of `ω_k² c_k` over the modes of which the level shows at least half. The weight is `|Σ m φ_k|²/ω_k²`, the effective modal mass over the
//!    stiffness: the share of a mode in the work of a weight that is put on from any direction. Where the direction is known, only that counts. A body that nothing holds
//!    has no such masses: its modes count alike, and a level whose free modes are too slow on the mean (lumped masses on some dozen nodes) keeps the material.
//!
//! One factor cannot correct every mode. On a plate with one or two cells through its thickness the bending across it is much too stiff and that along it is not; each
//! keeps its part of the difference.
//!
//! A level keeps one material, so that its forces still come from an energy, tools and supports still balance, and momenta are kept. The response to a static load on the
//! body as a whole improves as much as its lowest modes do. The response to a poke on few nodes improves too, since it is too stiff for the same reason, but most of its
//! error stays: that is the error of the mesh under the tool. Stresses of a coarse level are those with the factor.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::material::Material;
use pliant_core::math::{Mat3, Vec3};

use crate::bake::calibration::modes::{Modes, modes_of};
use crate::bake::calibration::target::{Target, prolongate};
use crate::hierarchy::Level;

/// Levels with more nodes keep their material: their error is below 1 %, and the time of the bake stays bounded. The others are compared with the largest level below
/// this bound.
pub const MAX_NODES: usize = 6_000;
/// Range of the factors of levels whose tetrahedra have factors of their own.
const RANGE_AFTER_FIT: std::ops::RangeInclusive<f64> = 0.8..=1.25;
/// Number of modes that are compared.
const COMPARED_MODES: usize = 3;
/// The body is hinged if the second principal moment of its held nodes is below this share of its squared diagonal.
const HINGE_TOLERANCE: f64 = 1e-6;

/// Sets [`Level::stiffness`] of all levels but the finest; the levels must be linked. Adds notes for the user. Returns the lowest frequency (rad/s) that
/// all levels now share, if it was found.
///
/// Cost: some tens of milliseconds up to 1,000 nodes, half a second at 3,000 on two cores.
pub(crate) fn calibrate(
    levels: &mut [Level],
    material: &Material,
    notes: &mut Vec<String>,
    progress: &Progress,
) -> Result<Option<f64>, Cancelled> {
    let compared = levels
        .iter()
        .take_while(|level| level.node_count() <= MAX_NODES)
        .count();
    if compared < 2 {
        return Ok(None);
    }
    let free = levels[..compared].iter().any(is_hinged);
    let mut all: Vec<Option<Modes>> = Vec::with_capacity(compared);
    for (l, level) in levels[..compared].iter().enumerate() {
        progress.stage(&format!("modes of level {} of {compared}", l + 1));
        let start = match all.last() {
            Some(Some(coarser)) => prolongate(&level.up, &coarser.shapes),
            _ => Vec::new(),
        };
        all.push(modes_of(
            level,
            material,
            COMPARED_MODES,
            free,
            start,
            progress,
        )?);
    }
    let Some(Some(best)) = all.last() else {
        notes
            .push("levels are not calibrated: the finest has no modes to compare with".to_string());
        return Ok(None);
    };
    let mut factors = vec![1.0; compared];
    for (l, modes) in all[..compared - 1].iter().enumerate() {
        let found = modes.as_ref().and_then(|modes| {
            let mut prolongated = modes.shapes.clone();
            for finer in &levels[l + 1..compared] {
                prolongated = prolongate(&finer.up, &prolongated);
            }
            let target = Target {
                level: &levels[compared - 1],
                squares: &best.squares[..COMPARED_MODES],
                shapes: &best.shapes[..COMPARED_MODES],
                direction: None,
            };
            target.factor(&modes.squares, &prolongated)
        });
        match found {
            Some((factor, _)) if free || !levels[l].is_supported() => factors[l] = factor.min(1.0),
            // every tetrahedron was fitted already: what is left differs between directions, and one factor would improve one and spoil another
            Some((factor, _)) if !levels[l].local.is_empty() => {
                factors[l] = factor.clamp(*RANGE_AFTER_FIT.start(), *RANGE_AFTER_FIT.end());
            }
            Some((factor, _)) => factors[l] = factor,
            None => notes.push(format!(
                "level {l} is not calibrated: its lowest modes are not those of level {}",
                compared - 1
            )),
        }
    }
    for (level, factor) in levels.iter_mut().zip(&factors) {
        level.set_stiffness(*factor);
    }
    Ok((!free).then(|| best.squares[0].sqrt()))
}

/// Whether a part of the level is held by so few nodes that it can still turn.
fn is_hinged(level: &Level) -> bool {
    let (label, count) = level.components();
    let held = level.held_flags();
    (0..count).any(|part| {
        let places: Vec<Vec3> = (0..level.node_count())
            .filter(|&n| held[n] && label[n] as usize == part)
            .map(|n| level.mesh.nodes[n])
            .collect();
        if places.is_empty() {
            return false;
        }
        let centre = places.iter().sum::<Vec3>() / places.len() as f64;
        let mut spread = Mat3::zeros();
        for x in &places {
            spread += (x - centre) * (x - centre).transpose();
        }
        let mut values = spread.symmetric_eigenvalues();
        values.as_mut_slice().sort_by(f64::total_cmp);
        values[1] <= HINGE_TOLERANCE * level.mesh.bounds().diagonal().powi(2)
    })
}
