//! Tries all candidates and chooses.

use std::sync::Arc;
use std::time::Instant;

use pliant_core::asset::Progress;
use pliant_core::scene::Method;

use super::candidates::{Candidate, candidates};
use super::choice::choose;
use super::error::AdviceError;
use super::estimate::estimated_seconds;
use super::figures::{CandidateFigures, Judge};
use super::front::{CostAndError, pareto_front};
use super::goal::Goal;
use super::reason::reason;
use super::result::{Advice, Outcome, Tried};
use super::scene_text::SceneText;
use crate::cache::AssetCache;
use crate::compare::alone::run_alone;
use crate::error::BuildError;
use crate::reference::{Reference, reference};
use crate::scenes::LoadedScene;
use crate::setup::Setup;

/// A candidate that costs more than so many budgets ends its family: finer ones cost still more.
const TOO_DEAR: f64 = 2.0;
/// Longest run of a scene that names no duration on the command line, s: a reference of more takes many minutes.
const LONGEST_S: f64 = 6.0;

/// What is to be advised.
pub struct AdviceOptions<'a> {
    /// What is wanted.
    pub goal: Goal,
    /// Methods, or those that the scene names.
    pub methods: Option<Vec<Method>>,
    /// Length of each run, s, or that of the scene, at most 6 s.
    pub duration: Option<f64>,
    /// Where assets and the reference are kept.
    pub cache: &'a AssetCache,
}

/// Watches an advice on its way.
pub trait AdviceObserver {
    /// The reference is there; so many candidates follow, which take about so many seconds with an empty cache.
    fn reference(&mut self, reference: &Reference, candidates: usize, seconds: f64);

    /// One more candidate has been tried.
    fn tried(&mut self, number: usize, of: usize, tried: &Tried);
}

/// Runs all candidates on a scene, and advises the cheapest that meets the goal, or what comes nearest to it.
///
/// Cost: that of a reference ([`reference()`], kept in the cache), and a bake and a run for each of some twenty candidates: one to five minutes for four simulated seconds on two
/// cores, half of it on a second call.
///
/// # Errors
/// [`AdviceError::NoReference`] for several bodies and for bodies that touch themselves; [`AdviceError::NothingRuns`]; [`BuildError::Cancelled`].
pub fn advise(
    loaded: &LoadedScene,
    setup: &Arc<Setup>,
    options: &AdviceOptions<'_>,
    observer: &mut impl AdviceObserver,
    progress: &Progress,
) -> Result<Advice, AdviceError> {
    let started = Instant::now();
    let mut methods = options
        .methods
        .clone()
        .unwrap_or_else(|| setup.description.methods.clone());
    methods.sort_unstable();
    methods.dedup();
    let scene_duration = setup.description.duration.min(LONGEST_S);
    let frames = setup.frames(options.duration.unwrap_or(scene_duration));
    let text = SceneText::of(loaded)?;
    let keeps = |frame: usize| setup.keeps_surface(frame);
    let reference =
        reference(setup, frames, &keeps, options.cache, progress).map_err(without_reference)?;
    let judge = match reference.firm {
        Some(_) => Judge::Force,
        None => Judge::Skin,
    };
    let candidates = candidates(setup, &methods, &options.goal);
    let count = candidates.len();
    let seconds = estimated_seconds(&candidates, frames);
    observer.reference(&reference, count, seconds);
    let trial = Trial {
        setup,
        text: &text,
        reference: &reference,
        frames,
        cache: options.cache,
        progress,
    };
    let mut tried: Vec<Tried> = Vec::with_capacity(count);
    for candidate in candidates {
        let skipped = too_dear(&candidate, &tried, &options.goal);
        let outcome = match skipped {
            Some(reason) => Outcome::Skipped { reason },
            None => unlike_others(trial.run(&candidate)?, &candidate, &tried),
        };
        let one = Tried { candidate, outcome };
        observer.tried(tried.len() + 1, count, &one);
        tried.push(one);
    }
    let points: Vec<CostAndError> = tried.iter().map(|one| point(one, judge)).collect();
    let Some(choice) = choose(&points, &options.goal) else {
        return Err(nothing_runs(&tried));
    };
    let mut advice = Advice {
        goal: options.goal,
        judge,
        reference,
        frames,
        front: pareto_front(&points),
        tried,
        choice,
        reason: Vec::new(),
        seconds: started.elapsed().as_secs_f64(),
    };
    advice.reason = reason(&advice);
    Ok(advice)
}

/// What all candidates are run on.
struct Trial<'a> {
    setup: &'a Arc<Setup>,
    text: &'a SceneText,
    reference: &'a Reference,
    frames: usize,
    cache: &'a AssetCache,
    progress: &'a Progress,
}

impl Trial<'_> {
    fn run(&self, candidate: &Candidate) -> Result<Outcome, BuildError> {
        let setup = match self.text.description(&candidate.settings) {
            Ok(said) => {
                let mut setup = self.setup.as_ref().clone();
                let body = &mut setup.description.body;
                body.adaptive = said.body.adaptive;
                body.quasistatic = said.body.quasistatic;
                body.lattice = said.body.lattice;
                Arc::new(setup)
            }
            Err(error) => {
                return Ok(Outcome::Refused {
                    code: error.code(),
                    reason: error.to_string(),
                });
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
            Err(why) => Outcome::Refused {
                code: why.code,
                reason: why.reason,
            },
            Ok((run, bytes)) => match &run.diverged {
                Some(error) => Outcome::Refused {
                    code: error.code().into(),
                    reason: error.to_string(),
                },
                None => Outcome::Measured(CandidateFigures::of(&run, bytes, setup.diagonal)),
            },
        })
    }
}

/// Cost and error of a candidate; NaN for one without figures, which no front and no choice takes.
fn point(tried: &Tried, judge: Judge) -> CostAndError {
    tried.figures().map_or(
        CostAndError {
            cost_ms: f64::NAN,
            error: f64::NAN,
        },
        |figures| figures.point(judge),
    )
}

/// Why a candidate is not run: a coarser one of its family costs far more than the budget.
fn too_dear(candidate: &Candidate, tried: &[Tried], goal: &Goal) -> Option<String> {
    let limit = TOO_DEAR * goal.budget_ms();
    let mut family = tried
        .iter()
        .filter(|one| one.candidate.family == candidate.family);
    let dear = family.find_map(|one| {
        let cost = one.figures()?.median_ms;
        (cost > limit).then_some((one, cost))
    });
    let (coarser, cost) = dear?;
    Some(format!(
        "costs more than `{}`, which already takes {cost:.1} ms",
        coarser.candidate.label()
    ))
}

/// A candidate that moved exactly as an earlier one of its method adds nothing: two budgets for which the same level is the finest that fits, for example.
fn unlike_others(outcome: Outcome, candidate: &Candidate, tried: &[Tried]) -> Outcome {
    let Outcome::Measured(figures) = &outcome else {
        return outcome;
    };
    let same = tried.iter().find(|one| {
        one.candidate.method == candidate.method
            && one
                .figures()
                .is_some_and(|f| f.surface_hash == figures.surface_hash && f.force == figures.force)
    });
    match same {
        Some(other) => Outcome::Skipped {
            reason: format!("moves exactly as `{}` does", other.candidate.label()),
        },
        None => outcome,
    }
}

/// Why there is no advice without a reference.
fn without_reference(error: BuildError) -> AdviceError {
    match error {
        BuildError::NotApplicable { code, reason, .. } => {
            // the remedy of a comparison is to go without
            let what = reason.split("\n  remedy:").next().unwrap_or(&reason);
            AdviceError::NoReference {
                code,
                reason: format!("{what}\n  remedy: `pliant compare` runs the methods side by side"),
            }
        }
        other => AdviceError::Build(other),
    }
}

fn nothing_runs(tried: &[Tried]) -> AdviceError {
    let reason = tried.iter().find_map(|one| match &one.outcome {
        Outcome::Refused { reason, .. } => Some(reason.clone()),
        _ => None,
    });
    AdviceError::NothingRuns {
        reason: reason.unwrap_or_else(|| "no method was given".into()),
    }
}
