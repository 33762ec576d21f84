//! The lowest elastic frequency of a level, and what its modes must be free of: held nodes and rigid motions.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::material::Material;
use pliant_core::math::Vec3;

use crate::bake::calibration::modes_of;
use crate::hierarchy::Level;

/// Most components that get their own rigid modes.
const MOST_FREE_PARTS: usize = 32;

/// Lowest angular frequency ω₁ of the level at rest with its supports, rad/s.
///
/// Components without a support have six rigid motions each, which are projected out: the result is then the lowest elastic mode. Where
/// the iteration finds nothing sensible, the bound of a shear wave along the diagonal `π √(μ/ρ) / diagonal` stands in.
pub fn lowest_frequency(
    level: &Level,
    material: &Material,
    progress: &Progress,
) -> Result<f64, Cancelled> {
    let modes = modes_of(level, material, 1, false, Vec::new(), progress)?;
    let lowest = modes.and_then(|modes| modes.squares.first().copied());
    let size = level.mesh.bounds().diagonal().max(f64::MIN_POSITIVE);
    let wave = (material.lame().mu / material.density).sqrt();
    Ok(lowest.map_or(std::f64::consts::PI * wave / size, f64::sqrt))
}

/// `Σ m a·b`.
pub(crate) fn mass_dot(level: &Level, a: &[Vec3], b: &[Vec3]) -> f64 {
    a.iter()
        .zip(b)
        .zip(&level.masses)
        .map(|((a, b), m)| m * a.dot(b))
        .sum()
}

/// Removes held nodes and rigid motions.
pub(crate) fn clean(x: &mut [Vec3], level: &Level, held: &[bool], rigid: &[Vec<Vec3>]) {
    for (v, &is_held) in x.iter_mut().zip(held) {
        if is_held {
            *v = Vec3::zeros();
        }
    }
    for mode in rigid {
        let share = mass_dot(level, x, mode);
        for (v, m) in x.iter_mut().zip(mode) {
            *v -= m * share;
        }
    }
}

/// Mass-orthonormal rigid motions of the components that nothing holds.
pub(crate) fn rigid_modes(level: &Level, held: &[bool]) -> Vec<Vec<Vec3>> {
    let (label, count) = level.components();
    let mut free = vec![true; count];
    for (l, &h) in label.iter().zip(held) {
        free[*l as usize] &= !h;
    }
    let mut modes: Vec<Vec<Vec3>> = Vec::new();
    for part in (0..count).filter(|&c| free[c]).take(MOST_FREE_PARTS) {
        let centre = {
            let (mut sum, mut number) = (Vec3::zeros(), 0.0);
            for (x, l) in level.mesh.nodes.iter().zip(&label) {
                if *l as usize == part {
                    sum += x;
                    number += 1.0;
                }
            }
            sum / f64::max(number, 1.0)
        };
        for kind in 0..6 {
            let axis = Vec3::ith(kind % 3, 1.0);
            let mut mode: Vec<Vec3> = level
                .mesh
                .nodes
                .iter()
                .zip(&label)
                .map(|(x, l)| match (*l as usize == part, kind < 3) {
                    (false, _) => Vec3::zeros(),
                    (true, true) => axis,
                    (true, false) => axis.cross(&(x - centre)),
                })
                .collect();
            for other in &modes {
                let share = mass_dot(level, &mode, other);
                for (v, o) in mode.iter_mut().zip(other) {
                    *v -= o * share;
                }
            }
            let norm = mass_dot(level, &mode, &mode).sqrt();
            if norm > 0.0 {
                mode.iter_mut().for_each(|v| *v /= norm);
                modes.push(mode);
            }
        }
    }
    modes
}
