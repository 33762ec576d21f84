//! Rough estimate of the time that candidates take, before any of them has run.

use super::candidate::{Candidate, Family};

/// Wall time of a bake of a body of medium size, s, on two cores.
const LEVELS_BAKE_S: f64 = 8.0;
const DENSE_BAKE_S: f64 = 5.0;
const WAVELETS_BAKE_S: f64 = 30.0;
const LATTICE_BAKE_S: f64 = 3.0;
/// Boundary nodes that [`DENSE_BAKE_S`] is for.
const DENSE_NODES: f64 = 1000.0;
/// A frame of Green's functions, ms.
const GREENS_MS: f64 = 0.5;
/// A frame of a lattice with [`LATTICE_CELLS`] along its longest side, ms.
const LATTICE_MS: f64 = 7.0;
const LATTICE_CELLS: f64 = 24.0;

/// Wall time of all `candidates` through `frames` frames with an empty cache, s. Good to a factor of two or three.
pub(in crate::compare::advice) fn estimated_seconds(
    candidates: &[Candidate],
    frames: usize,
) -> f64 {
    let seconds_of = |candidate: &Candidate| {
        let resolution = candidate.resolution;
        let (bake_s, frame_ms) = match candidate.family {
            // candidates on a cut and on a level share the bake of the levels
            Family::Cut | Family::Level => (0.0, resolution),
            Family::Dense => (DENSE_BAKE_S * (resolution / DENSE_NODES).powi(2), GREENS_MS),
            Family::OtherLoads => (DENSE_BAKE_S, GREENS_MS),
            Family::Wavelets => (WAVELETS_BAKE_S, GREENS_MS),
            // cells grow with the third power, steps with the first
            Family::Cells { .. } => {
                let refinement = resolution / LATTICE_CELLS;
                (LATTICE_BAKE_S, LATTICE_MS * refinement.powi(4))
            }
        };
        bake_s + frame_ms * 1e-3 * frames as f64
    };
    let has_levels = |c: &Candidate| matches!(c.family, Family::Cut | Family::Level);
    let levels = match candidates.iter().any(has_levels) {
        true => LEVELS_BAKE_S,
        false => 0.0,
    };
    levels + candidates.iter().map(seconds_of).sum::<f64>()
}
