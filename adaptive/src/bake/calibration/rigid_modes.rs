//! Motions that elastic modes must not contain: those of held nodes, and rigid motions.

use pliant_core::math::Vec3;

use crate::hierarchy::Level;

/// Largest number of components with their own rigid modes.
const MAX_FREE_PARTS: usize = 32;

/// Mass-orthonormal rigid motions of the components without held nodes.
pub(crate) fn rigid_modes(level: &Level, held: &[bool]) -> Vec<Vec<Vec3>> {
    let (label, free) = level.free_components(held);
    let mut modes: Vec<Vec<Vec3>> = Vec::new();
    for part in (0..free.len()).filter(|&c| free[c]).take(MAX_FREE_PARTS) {
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

/// Projects out the motion of held nodes and rigid motions.
pub(crate) fn project_out(x: &mut [Vec3], level: &Level, held: &[bool], rigid: &[Vec<Vec3>]) {
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

/// `Σ m a·b`.
pub(crate) fn mass_dot(level: &Level, a: &[Vec3], b: &[Vec3]) -> f64 {
    a.iter()
        .zip(b)
        .zip(&level.masses)
        .map(|((a, b), m)| m * a.dot(b))
        .sum()
}
