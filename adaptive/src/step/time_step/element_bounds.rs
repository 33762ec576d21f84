//! Bounds of the frequencies of elements and springs at rest.

use pliant_core::elasticity::ShapeGradients;
use pliant_core::elasticity::stiffness::linear_stiffness;
use pliant_core::material::LameParameters;
use pliant_core::mesh::quadratic::EDGES;

use crate::force::springs::edge_springs;
use crate::hierarchy::Level;
use crate::params::ElementModel;

/// Squares of the element bounds at rest under `model`, (rad/s)².
pub(crate) fn squared_frequencies(
    level: &Level,
    model: ElementModel,
    lame: &LameParameters,
) -> Vec<f64> {
    match model {
        ElementModel::Simplified => level
            .shapes
            .iter()
            .zip(&level.frequencies)
            .map(|(shape, f)| f * f * simplified_ratio(shape, lame))
            .collect(),
        _ => level.frequencies.iter().map(|f| f * f).collect(),
    }
}

/// Largest stiffness eigenvalue of the simplified model over that of the full one, from above: `V((λ+μ) Σ|g|² + μ Σ|g|²)` over the bound
/// `V(λ+2μ) Σ|g|²/3` from below.
fn simplified_ratio(shape: &ShapeGradients, lame: &LameParameters) -> f64 {
    let sum: f64 = shape.gradients.iter().map(|g| g.norm_squared()).sum();
    let above = shape.volume * sum * (lame.lambda + 2.0 * lame.mu);
    let full = linear_stiffness(shape, lame).symmetric_eigenvalues().max();
    (above / full).max(1.0)
}

/// Squares of the frequency bounds of the springs of each tetrahedron by itself, (rad/s)²: [`spring_bound`] with its share `E V/L²` of each spring and its own corner masses `ρ V/4`.
pub(crate) fn squared_spring_frequencies(level: &Level, young: f64) -> Vec<f64> {
    let factor = 8.0 * young * level.stiffness / level.density();
    let of = |tet: usize| {
        let x = level.mesh.corners(tet);
        let mut sums = [0.0_f64; 4];
        for [i, j] in EDGES {
            let share = 1.0 / (x[j] - x[i]).norm_squared();
            sums[i] += share;
            sums[j] += share;
        }
        factor * sums.into_iter().fold(0.0, f64::max)
    };
    (0..level.mesh.tets.len()).map(of).collect()
}

/// Square of the frequency bound of the spring network by Gershgorin's theorem: `2 Σ k / m` at a node, (rad/s)².
pub(crate) fn spring_bound(level: &Level, young: f64) -> f64 {
    let mut sums = vec![0.0; level.node_count()];
    for spring in edge_springs(level, young) {
        for n in spring.nodes {
            sums[n as usize] += spring.stiffness;
        }
    }
    sums.iter()
        .zip(&level.masses)
        .map(|(k, m)| 2.0 * k / m)
        .fold(0.0, f64::max)
}
