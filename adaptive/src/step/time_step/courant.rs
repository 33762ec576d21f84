//! The Courant condition: a bound on the step from edge length and wave speed (Debunne et al. 2001, Eq. 10).

use pliant_core::material::Material;

use crate::hierarchy::Level;

/// Factor on the printed Courant condition: with factor 1 it is up to twice too long.
const COURANT_FACTOR: f64 = 0.4;

/// Steps a second of each tetrahedron of a level by the Courant rule: wave speed over the shortest edge, with a factor.
pub(crate) fn courant_rates(level: &Level, material: &Material) -> Vec<f64> {
    let rate = |t| material.wave_speed() / (COURANT_FACTOR * shortest_edge_of(level, t));
    (0..level.mesh.tets.len()).map(rate).collect()
}

/// Steps a second of a level by the same rule.
pub(crate) fn courant_rate(level: &Level, material: &Material) -> f64 {
    material.wave_speed() / (COURANT_FACTOR * shortest_edge(level))
}

fn shortest_edge(level: &Level) -> f64 {
    (0..level.mesh.tets.len())
        .map(|t| shortest_edge_of(level, t))
        .fold(f64::INFINITY, f64::min)
}

fn shortest_edge_of(level: &Level, tet: usize) -> f64 {
    let x = level.mesh.corners(tet);
    [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
        .map(|(i, j)| (x[i] - x[j]).norm())
        .into_iter()
        .fold(f64::INFINITY, f64::min)
}
