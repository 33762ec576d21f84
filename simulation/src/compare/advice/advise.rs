//! Runs all candidates and chooses one.

use std::sync::Arc;

use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::scene::Method;
use web_time::Instant;

use super::candidates::{SceneText, candidates, estimated_seconds, level_between};
use super::choice::{CostAndError, Goal, agreeing_by_chance, choose, judged_front};
use super::error::AdviceError;
use super::figures::ErrorMeasure;
use super::reason::reason;
use super::result::{Advice, Outcome, TriedCandidate};
use super::trial::Trial;
use crate::cache::AssetCache;
use crate::compare::run::methods_of;
use crate::error::BuildError;
use crate::reference::{RecordedRun, Reference, ReferenceForce, ReferenceKind, Span, reference};
use crate::scenes::LoadedScene;
use crate::setup::Setup;

/// Longest run of a scene that names no duration on the command line, s: a reference of more takes many minutes.
const MAX_DURATION_S: f64 = 6.0;

/// Distance from rest, over the diagonal of the body, up to which a skin has not moved.
const STILL: f64 = 1e-6;

/// Options of an advice.
pub struct AdviceOptions<'a> {
    /// Limits of cost and errors.
    pub goal: Goal,
    /// Methods, or those that the scene names.
    pub methods: Option<Vec<Method>>,
    /// Length of each run, s, or that of the scene, at most 6 s.
    pub duration: Option<f64>,
    /// Where assets and the reference are kept.
    pub cache: &'a AssetCache,
}

/// Receives the progress of an advice.
pub trait AdviceObserver {
    /// The reference is computed. The number of `candidates` that follow, and about how many `seconds` they take with an empty cache.
    fn reference(&mut self, reference: &Reference, candidates: usize, seconds: f64);

    /// One more candidate has been tried.
    fn tried(&mut self, number: usize, of: usize, tried: &TriedCandidate);
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
    let methods = methods_of(setup, options.methods.as_deref());
    let scene_duration = setup.description.duration.min(MAX_DURATION_S);
    let frames = setup.frames(options.duration.unwrap_or(scene_duration));
    let text = SceneText::of(loaded)?;
    let span = Span::of_script(frames);
    let dynamic = ReferenceKind::Dynamic;
    let computed = reference(dynamic, setup, &span, options.cache, progress);
    let reference = computed.map_err(no_reference)?;
    let error_measure = match reference.force {
        Some(_) => ErrorMeasure::Force,
        None => ErrorMeasure::Skin,
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
    let mut tried: Vec<TriedCandidate> = Vec::with_capacity(count);
    for candidate in candidates {
        tried.push(trial.attempt(candidate, &tried, &options.goal)?);
        observer.tried(tried.len(), count, &tried[tried.len() - 1]);
    }
    if let Some(candidate) = level_between(&tried, &options.goal) {
        tried.push(trial.attempt(candidate, &tried, &options.goal)?);
        observer.tried(tried.len(), tried.len(), &tried[tried.len() - 1]);
    }
    let chances = agreeing_by_chance(&tried, error_measure, uncertainty(&reference));
    for (one, chance) in tried.iter_mut().zip(chances) {
        one.chance = chance;
    }
    // candidates on the front are timed until two runs agree, so that a busy moment of the machine decides nothing
    let front = judged_front(&points(&tried, error_measure), &options.goal);
    let unsteadiness = trial.time_again(&mut tried, &front)?;
    let points = points(&tried, error_measure);
    let Some(choice) = choose(&points, &options.goal) else {
        return Err(nothing_runs(&tried));
    };
    let mut advice = Advice {
        goal: options.goal,
        error_measure,
        reference,
        frames,
        front: judged_front(&points, &options.goal),
        tried,
        choice,
        unsteadiness,
        reason: Vec::new(),
        seconds: started.elapsed().as_secs_f64(),
    };
    advice.reason = reason(&advice);
    if stands_still(
        &advice.reference.fine,
        &setup.skin().positions,
        setup.diagonal,
    ) {
        advice.reason.push(
            "The body does not move in this run, so that all candidates agree and the advice says nothing: give a longer duration, or lead a tool into the body."
                .into(),
        );
    }
    Ok(advice)
}

/// Whether every skin of a `run` is as at `rest`, to a millionth of the diagonal; `false` where none is kept.
fn stands_still(run: &RecordedRun, rest: &[Vec3], diagonal: f64) -> bool {
    let is_at_rest = |skin: &Vec<[f32; 3]>| {
        let mut places = skin.iter().zip(rest);
        places.all(|(x, at)| (Vec3::from(x.map(f64::from)) - at).norm() <= STILL * diagonal)
    };
    !run.surfaces.is_empty() && run.surfaces.iter().all(is_at_rest)
}

/// How far the force of the reference may be off, relative; 0 where none is felt.
fn uncertainty(reference: &Reference) -> f64 {
    let reference_force = reference.force.as_ref();
    reference_force.map_or(0.0, ReferenceForce::relative_uncertainty)
}

/// Cost and error of each candidate; NaN, which no front and no choice takes, without figures and for agreement by chance.
fn points(tried: &[TriedCandidate], error_measure: ErrorMeasure) -> Vec<CostAndError> {
    let none = CostAndError {
        cost_ms: f64::NAN,
        error: f64::NAN,
        skin: f64::NAN,
    };
    let point_of = |one: &TriedCandidate| {
        let figures = one.figures().filter(|_| one.chance.is_none());
        figures.map_or(none, |figures| figures.point(error_measure))
    };
    tried.iter().map(point_of).collect()
}

/// Why there is no advice without a reference.
fn no_reference(error: BuildError) -> AdviceError {
    match error {
        BuildError::NotApplicable { code, reason, .. } => {
            // the remedy for a comparison is to leave out the reference
            let what = reason.split("\n  remedy:").next().unwrap_or(&reason);
            AdviceError::NoReference {
                code,
                reason: format!("{what}\n  remedy: `pliant compare` runs the methods side by side"),
            }
        }
        other => AdviceError::Build(other),
    }
}

fn nothing_runs(tried: &[TriedCandidate]) -> AdviceError {
    let reason = tried.iter().find_map(|one| match &one.outcome {
        Outcome::Refused(fault) => Some(fault.reason.clone()),
        _ => None,
    });
    AdviceError::NothingRuns {
        reason: reason.unwrap_or_else(|| "no method was given".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_stands_still_if_all_of_its_skins_do() {
        let rest = [Vec3::zeros(), Vec3::x()];
        let of = |surfaces: Vec<Vec<[f32; 3]>>| RecordedRun {
            surfaces,
            ..RecordedRun::default()
        };
        let at = |x: f32| vec![[0.0; 3], [x, 0.0, 0.0]];
        assert!(stands_still(&of(vec![at(1.0), at(1.0)]), &rest, 1.0));
        assert!(!stands_still(&of(vec![at(1.0), at(1.001)]), &rest, 1.0));
        assert!(!stands_still(&of(Vec::new()), &rest, 1.0));
    }
}
