//! One candidate on the scene.

use std::sync::Arc;

use pliant_core::asset::Progress;

use super::candidates::{Candidate, SceneText};
use super::choice::Goal;
use super::figures::CandidateFigures;
use super::result::{Outcome, TriedCandidate};
use crate::cache::AssetCache;
use crate::compare::alone::run_alone;
use crate::error::{BuildError, Fault};
use crate::reference::Reference;
use crate::setup::Setup;

/// Cost over the budget above which finer candidates of the family are skipped: they cost still more.
const MAX_COST_RATIO: f64 = 2.0;
/// Medians whose ratio is at most this agree.
const AGREEMENT_RATIO: f64 = 1.15;
/// Most runs of one candidate.
const MAX_RUNS: usize = 4;

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

    /// Times a candidate that has figures until two medians agree, and keeps the smallest times: other work on the machine only ever adds to them. The ratio of the two
    /// smallest medians; 1 without figures.
    pub(super) fn time_again(&self, tried: &mut TriedCandidate) -> Result<f64, BuildError> {
        let Outcome::Measured(figures) = &mut tried.outcome else {
            return Ok(1.0);
        };
        let mut medians = vec![figures.median_ms];
        let mut ratio = 1.0;
        while medians.len() < MAX_RUNS {
            let Outcome::Measured(more) = self.run(&tried.candidate)? else {
                break;
            };
            figures.p99_ms = figures.p99_ms.min(more.p99_ms);
            medians.push(more.median_ms);
            medians.sort_by(f64::total_cmp);
            ratio = medians[1] / medians[0].max(f64::MIN_POSITIVE);
            if ratio <= AGREEMENT_RATIO {
                break;
            }
        }
        figures.median_ms = medians[0];
        Ok(ratio)
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
        let run = run_alone(
            &setup,
            candidate.method,
            self.frames,
            self.reference,
            self.cache,
            self.progress,
        )?;
        Ok(match run {
            Err(fault) => Outcome::Refused(fault),
            Ok((run, bytes)) => match &run.diverged {
                Some(error) => Outcome::Refused(Fault::new(error.code(), error.to_string())),
                None => Outcome::Measured(CandidateFigures::from_run(&run, bytes, setup.diagonal)),
            },
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
