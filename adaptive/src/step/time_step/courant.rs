//! The Courant condition: a bound on the step from edge length and wave speed (Debunne et al. 2001, Eq. 10).

use pliant_core::material::Material;
use pliant_core::mesh::quadratic::EDGES;

use crate::hierarchy::Level;

/// Factor on the printed Courant condition: with factor 1 it is up to twice too long.
const COURANT_FACTOR: f64 = 0.4;

/// Steps a second of each tetrahedron of a level by the Courant rule: wave speed over the shortest edge, with a factor.
pub(crate) fn courant_rates(level: &Level, material: &Material) -> Vec<f64> {
    let rate = |t| material.wave_speed() / (COURANT_FACTOR * shortest_edge(level, t));
    (0..level.mesh.tets.len()).map(rate).collect()
}

/// Steps a second of a level by the same rule.
pub(crate) fn courant_rate(level: &Level, material: &Material) -> f64 {
    courant_rates(level, material)
        .into_iter()
        .fold(0.0, f64::max)
}

fn shortest_edge(level: &Level, tet: usize) -> f64 {
    let x = level.mesh.corners(tet);
    let lengths = EDGES.map(|[i, j]| (x[i] - x[j]).norm());
    lengths.into_iter().fold(f64::INFINITY, f64::min)
}
