//! Agreement by chance: errors that cancel on one poke and not on the next.

use crate::compare::advice::figures::ErrorMeasure;
use crate::compare::advice::result::TriedCandidate;

/// A finer candidate may have an error larger by this much (relative) before the agreement of a coarser one counts as chance. Errors of a converging sequence vary by about as much.
const CONVERGENCE_NOISE: f64 = 0.03;

/// For each candidate a finer one of its family that is farther off, and beyond the `uncertainty` (relative) of the reference. A finer mesh that is worse says that the errors
/// of the coarser one cancel: what remains of them on another place of the body is not known.
pub(in crate::compare::advice) fn agreeing_by_chance(
    tried: &[TriedCandidate],
    error_measure: ErrorMeasure,
    uncertainty: f64,
) -> Vec<Option<usize>> {
    let error = |one: &TriedCandidate| Some(one.figures()?.point(error_measure).error);
    let finer_and_worse = |mine: &TriedCandidate| {
        let bound = error(mine)?.max(uncertainty) + CONVERGENCE_NOISE;
        tried.iter().position(|other| {
            other.candidate.family == mine.candidate.family
                && other.candidate.resolution > mine.candidate.resolution
                && error(other).is_some_and(|e| e > bound)
        })
    };
    tried.iter().map(finer_and_worse).collect()
}
