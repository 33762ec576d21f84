//! One candidate on the scene.

use std::sync::Arc;

use pliant_core::asset::Progress;

use super::candidates::{Candidate, SceneText};
use super::choice::Goal;
use super::figures::CandidateFigures;
use super::result::{Outcome, TriedCandidate};
use super::timing::{MAX_RUNS, Medians};
use crate::cache::AssetCache;
use crate::error::{BuildError, Fault};
use crate::reference::Reference;
use crate::setup::Setup;

/// Cost over the budget above which finer candidates of the family are skipped: they cost still more.
const MAX_COST_RATIO: f64 = 2.0;

/// What all candidates are run on.
pub(super) struct Trial<'a> {
    /// The scene.
    pub(super) setup: &'a Arc<Setup>,
    /// Its text.
    pub(super) text: &'a SceneText,
    /// What candidates are compared with.
    pub(super) reference: &'a Reference,
    /// Frames of each run.
    pub(super) frames: usize,
    /// Where assets are kept.
    pub(super) cache: &'a AssetCache,
    /// Progress, which may cancel.
    pub(super) progress: &'a Progress,
}

impl Trial<'_> {
    /// Runs a candidate, unless the results of those `tried` before make it useless.
    pub(super) fn attempt(
        &self,
        candidate: Candidate,
        tried: &[TriedCandidate],
        goal: &Goal,
    ) -> Result<TriedCandidate, BuildError> {
        let outcome = match too_expensive_reason(&candidate, tried, goal) {
            Some(reason) => Outcome::Skipped { reason },
            None => skip_duplicate(self.run(&candidate)?, &candidate, tried),
        };
        Ok(TriedCandidate {
            candidate,
            outcome,
            chance: None,
        })
    }

    /// Times the candidates of these `numbers` that have figures until two medians of each agree, and keeps the smallest times. They run by turns, so that a busy moment of the machine
    /// does not fall on all runs of one of them. The largest ratio of the two smallest medians of a candidate; 1 without figures.
    pub(super) fn time_again(
        &self,
        tried: &mut [TriedCandidate],
        numbers: &[usize],
    ) -> Result<f64, BuildError> {
        let first = |&k: &usize| Some((k, Medians::new(tried[k].figures()?.median_ms)));
        let mut timed: Vec<(usize, Medians)> = numbers.iter().filter_map(first).collect();
        for _ in 1..MAX_RUNS {
            for (k, medians) in timed.iter_mut().filter(|one| !one.1.agree()) {
                let one = &mut tried[*k];
                let again = self.run(&one.candidate)?;
                if let (Outcome::Measured(figures), Outcome::Measured(more)) =
                    (&mut one.outcome, again)
                {
                    medians.add(&more, figures);
                }
            }
        }
        let ratios = timed.iter().map(|one| one.1.unsteadiness());
        Ok(ratios.fold(1.0, f64::max))
    }

    fn run(&self, candidate: &Candidate) -> Result<Outcome, BuildError> {
        let (method, settings) = (candidate.method, &candidate.settings);
        let setup = match self.text.setup_with(self.setup, method, settings) {
            Ok(setup) => Arc::new(setup),
            Err(error) => {
                let fault = Fault::new(error.code(), error.to_string());
                return Ok(Outcome::Refused(fault));
            }
        };
        let measured = CandidateFigures::measure(
            &setup,
            method,
            self.frames,
            self.reference,
            self.cache,
            self.progress,
        )?;
        Ok(match measured {
            Ok(figures) => Outcome::Measured(figures),
            Err(fault) => Outcome::Refused(fault),
        })
    }
}

/// Why a candidate is not run: a coarser one of its family costs far more than the budget.
fn too_expensive_reason(
    candidate: &Candidate,
    tried: &[TriedCandidate],
    goal: &Goal,
) -> Option<String> {
    let limit = MAX_COST_RATIO * goal.budget_ms();
    let mut family = tried.iter().filter(|one| {
        one.candidate.family.shares_costs_with(candidate.family)
            && one.candidate.resolution < candidate.resolution
    });
    let expensive = family.find_map(|one| {
        let cost = one.figures()?.median_ms;
        (cost > limit).then_some((one, cost))
    });
    let (coarser, cost) = expensive?;
    Some(format!(
        "costs more than `{}`, which already takes {cost:.1} ms",
        coarser.candidate.label()
    ))
}

/// Skips a candidate that moved exactly as an earlier one of its method, for example because the same level is the finest within two budgets.
fn skip_duplicate(outcome: Outcome, candidate: &Candidate, tried: &[TriedCandidate]) -> Outcome {
    let Outcome::Measured(figures) = &outcome else {
        return outcome;
    };
    let duplicate = tried.iter().find(|one| {
        one.candidate.method == candidate.method
            && one
                .figures()
                .is_some_and(|f| f.surface_hash == figures.surface_hash && f.force == figures.force)
    });
    match duplicate {
        Some(other) => Outcome::Skipped {
            reason: format!("moves exactly as `{}` does", other.candidate.label()),
        },
        None => outcome,
    }
}
