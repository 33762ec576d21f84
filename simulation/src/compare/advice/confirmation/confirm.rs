//! Runs the advised scene again, and the advised settings on another poke.

use std::sync::Arc;

use pliant_core::asset::Progress;

use super::agreement::{Agreement, cost_agreement, error_agreement};
use super::other_poke::shallower_poke;
use crate::cache::AssetCache;
use crate::compare::advice::figures::CandidateFigures;
use crate::compare::advice::result::Advice;
use crate::compare::advice::timing::{MAX_RUNS, Medians};
use crate::compare::run::applicable;
use crate::error::{BuildError, Fault};
use crate::reference::{Reference, ReferenceForce, ReferenceKind, Span, reference};
use crate::setup::Setup;

/// What the advised scene does when it runs again.
#[derive(Debug, Clone)]
pub struct Confirmation {
    /// Its figures. The median is the smallest of several, as that of a candidate.
    pub figures: CandidateFigures,
    /// Ratio of the two smallest medians of these runs.
    pub unsteadiness: f64,
    /// The advised settings on another poke, or why there is none.
    pub other_poke: Result<OtherPoke, String>,
}

/// The advised settings on a poke that is less deep.
#[derive(Debug, Clone)]
pub struct OtherPoke {
    /// Largest depth of the tool in the body at rest, m.
    pub depth: f64,
    /// That of the poke on which the candidates were tried, m.
    pub advised_depth: f64,
    /// What the advised settings do, against the reference of this poke.
    pub figures: CandidateFigures,
    /// The force of that reference.
    pub reference_force: ReferenceForce,
}

impl Confirmation {
    /// Whether the cost is the advised one; `None` without figures of the advised candidate.
    pub fn cost(&self, advice: &Advice) -> Option<Agreement> {
        let predicted = advice.advised_figures()?.median_ms;
        let found = self.figures.median_ms;
        let unsteadiness = self.larger_unsteadiness(advice);
        Some(cost_agreement(predicted, found, unsteadiness))
    }

    /// The larger of the ratios of the two smallest medians, when the advice was made and now: costs are no more certain than that.
    pub fn larger_unsteadiness(&self, advice: &Advice) -> f64 {
        self.unsteadiness.max(advice.unsteadiness)
    }

    /// Whether the error of the force on the other poke is the advised one; `None` without a force of both.
    pub fn error(&self, advice: &Advice) -> Option<Agreement> {
        let poke = self.other_poke.as_ref().ok()?;
        let predicted = advice.advised_figures()?.force_error?;
        let uncertainty = advice.reference.force.as_ref()?.relative_uncertainty();
        Some(error_agreement(
            (predicted, uncertainty),
            (
                poke.figures.force_error?,
                poke.reference_force.relative_uncertainty(),
            ),
        ))
    }
}

/// Runs the advised scene, which `setup` is, as often as a candidate on the front, and once with a poke that is less deep.
///
/// Cost: that of a few runs, and of a reference of the other poke, which is kept in the cache.
///
/// # Errors
/// [`BuildError::Cancelled`]; the inner error says why the scene did not get to its end.
pub fn confirm(
    advice: &Advice,
    setup: &Arc<Setup>,
    cache: &AssetCache,
    progress: &Progress,
) -> Result<Result<Confirmation, Fault>, BuildError> {
    let run = |setup: &Arc<Setup>, reference: &Reference| {
        let method = advice.advised().method;
        CandidateFigures::measure(setup, method, advice.frames, reference, cache, progress)
    };
    let mut figures = match run(setup, &advice.reference)? {
        Ok(figures) => figures,
        Err(fault) => return Ok(Err(fault)),
    };
    let mut medians = Medians::new(figures.median_ms);
    for _ in 1..MAX_RUNS {
        if medians.agree() {
            break;
        }
        if let Ok(more) = run(setup, &advice.reference)? {
            medians.add(&more, &mut figures);
        }
    }
    let other_poke = on_another_poke(advice, setup, cache, progress, run)?;
    Ok(Ok(Confirmation {
        figures,
        unsteadiness: medians.unsteadiness(),
        other_poke,
    }))
}

/// Computes the reference of another poke and runs the advised settings there; or why there is no such poke.
fn on_another_poke(
    advice: &Advice,
    setup: &Setup,
    cache: &AssetCache,
    progress: &Progress,
    run: impl Fn(&Arc<Setup>, &Reference) -> Result<Result<CandidateFigures, Fault>, BuildError>,
) -> Result<Result<OtherPoke, String>, BuildError> {
    let Some(judged) = &advice.reference.force else {
        return Ok(Err("no moving tool is felt".into()));
    };
    let poke = match shallower_poke(setup, judged) {
        Ok(poke) => poke,
        Err(reason) => return Ok(Err(reason)),
    };
    let span = Span::of_script(advice.frames);
    let dynamic = ReferenceKind::Dynamic;
    let computed = reference(dynamic, &poke.setup, &span, cache, progress);
    let reference = match applicable(computed)? {
        Ok(reference) => reference,
        Err(fault) => return Ok(Err(fault.reason)),
    };
    let Some(reference_force) = reference.force.clone() else {
        return Ok(Err("a tool that is less deep is not felt".into()));
    };
    Ok(match run(&poke.setup, &reference)? {
        Ok(figures) => Ok(OtherPoke {
            depth: poke.depth,
            advised_depth: poke.depth_before,
            figures,
            reference_force,
        }),
        Err(fault) => Err(fault.reason),
    })
}
