//! Sentences that explain an advice.

use pliant_core::diagnostics::capitalised;

use super::candidates::Candidate;
use super::choice::{Choice, CostAndError, percent};
use super::figures::{CandidateFigures, ErrorMeasure};
use super::result::{Advice, TriedCandidate};
use super::timing::UNSTEADY_RATIO;
use crate::reference::{is_within_uncertainty, side};

/// What is advised and why, one sentence each. Empty where the advised candidate has no figures, which the choice excludes.
pub(super) fn reason(advice: &Advice) -> Vec<String> {
    let Some(figures) = advice.advised_figures() else {
        return Vec::new();
    };
    let budget = advice.goal.budget_ms();
    let name = method_and_settings(advice.advised());
    let cost = figures.median_ms;
    let errors = error_clauses(figures, advice);
    let mut sentences = Vec::new();
    match advice.choice {
        Choice::MeetsAll(_) => {
            sentences.push(format!(
                "Use {name}: a frame costs {cost:.2} ms (budget {budget} ms), {errors}."
            ));
            sentences.push(match count_meeting_goal(advice) {
                1 => "No other candidate meets all limits.".into(),
                count => {
                    format!("It is the cheapest of the {count} candidates that meet all limits.")
                }
            });
        }
        Choice::MostExactWithinBudget(_) => {
            sentences.push(format!(
                "No candidate meets all limits. Nearest within {budget} ms: {name}. A frame costs {cost:.2} ms, {errors}."
            ));
            sentences.push(alternatives(advice, figures));
        }
        Choice::Cheapest(_) => {
            sentences.push(format!(
                "No candidate fits into {budget} ms. The cheapest is {name}: a frame costs {cost:.2} ms, {errors}."
            ));
        }
    }
    sentences.extend(uncertainty_sentences(advice, figures));
    sentences.extend(chance_sentence(advice, figures));
    sentences.extend(skin_sentence(advice, figures));
    if advice.unsteadiness > UNSTEADY_RATIO {
        sentences.push(format!(
            "Times of the same frames differed by a factor of {:.1}: the machine is busy with other work, and costs are no more accurate than that.",
            advice.unsteadiness
        ));
    }
    if advice.error_measure == ErrorMeasure::Skin {
        sentences.push(
            "No moving tool or grab exerts a force, so that no force can be compared: errors are distances of the skin over the diagonal of the body."
                .into(),
        );
    }
    sentences
}

/// "quasistatic with boundary = 500".
fn method_and_settings(candidate: &Candidate) -> String {
    match candidate.settings.is_empty() {
        true => format!("{} as the scene says", candidate.method.name()),
        false => format!("{} with {}", candidate.method.name(), candidate.label()),
    }
}

/// "its force is 3.0 % above the reference (wanted: 5 %), and its skin is 0.20 % of the diagonal off (wanted: 1 %)".
fn error_clauses(figures: &CandidateFigures, advice: &Advice) -> String {
    let skin = |limit: f64| {
        format!(
            "and its skin is {:.2} % of the diagonal off (wanted: {} %)",
            figures.skin * 100.0,
            percent(limit)
        )
    };
    let limit = advice.error_limit();
    match advice.error_measure {
        ErrorMeasure::Force => format!(
            "its force is {} the reference (wanted: {} %), {}",
            side(figures.error(ErrorMeasure::Force)),
            percent(limit),
            skin(advice.goal.skin_error())
        ),
        ErrorMeasure::Skin => skin(limit),
    }
}

/// How many candidates meet all limits.
fn count_meeting_goal(advice: &Advice) -> usize {
    let sound = advice.tried.iter().filter(|one| one.chance.is_none());
    let points = sound.filter_map(|one| advice.point(one));
    points.filter(|point| advice.goal.is_met_by(point)).count()
}

/// What to change where nothing meets all limits: the budget, or the errors.
fn alternatives(advice: &Advice, nearest: &CandidateFigures) -> String {
    let accept = acceptance(advice, &nearest.point(advice.error_measure));
    // ascending in cost, so that the last is the most exact
    let mut front = advice.front.iter().filter_map(|&k| {
        let one = &advice.tried[k];
        Some((one, advice.point(one)?))
    });
    let exact = front.clone().find(|(_, p)| advice.goal.is_exact_enough(p));
    let dearer = front
        .next_back()
        .filter(|(_, p)| p.cost_ms > advice.goal.budget_ms());
    let allow = |one: &TriedCandidate, point: &CostAndError| {
        let name = method_and_settings(&one.candidate);
        format!(
            "Either {accept}, or allow {:.1} ms for {name}",
            point.cost_ms
        )
    };
    match (exact, dearer) {
        (Some((one, point)), _) => format!(
            "{}, which is {}.",
            allow(one, &point),
            distance_clause(advice, &point)
        ),
        (None, Some((one, point))) => format!(
            "{}, the most accurate that was tried ({}).",
            allow(one, &point),
            distance_clause(advice, &point)
        ),
        (None, None) => format!(
            "No candidate that was tried is more accurate at any cost: {accept}, or give a larger budget, with which finer candidates are tried."
        ),
    }
}

/// "accept 4.1 % and a skin that is 1.3 % off": what `point` exceeds.
fn acceptance(advice: &Advice, point: &CostAndError) -> String {
    let error =
        (point.error > advice.error_limit()).then(|| format!("{} %", rounded_up(point.error)));
    let skin = advice
        .is_skin_too_far_off(point.skin)
        .then(|| format!("a skin that is {} % off", rounded_up(point.skin)));
    let exceeded: Vec<String> = error.into_iter().chain(skin).collect();
    format!("accept {}", exceeded.join(" and "))
}

/// "1.2 % off", with the skin where that is too far off.
fn distance_clause(advice: &Advice, point: &CostAndError) -> String {
    let mut text = format!("{:.1} % off", point.error * 100.0);
    if advice.is_skin_too_far_off(point.skin) {
        text.push_str(&format!(
            ", with a skin that is {:.1} % off",
            point.skin * 100.0
        ));
    }
    text
}

/// An error in percent, rounded up to a tenth, so that it would be met.
fn rounded_up(error: f64) -> f64 {
    (error * 1000.0 - 1e-9).ceil() / 10.0
}

/// What the uncertainty of the reference leaves open.
fn uncertainty_sentences(advice: &Advice, figures: &CandidateFigures) -> Vec<String> {
    let Some(reference_force) = advice.reference.force.as_ref() else {
        return Vec::new();
    };
    let uncertainty = reference_force.relative_uncertainty();
    let mut sentences = Vec::new();
    if figures
        .force_error
        .is_some_and(|error| is_within_uncertainty(error, reference_force))
    {
        sentences.push(format!(
            "The force is within the uncertainty of the reference, {:.1} %: smaller errors cannot be distinguished.",
            uncertainty * 100.0
        ));
    } else if uncertainty > advice.goal.error() {
        sentences.push(format!(
            "The reference itself is accurate to {:.1} % only, which is more than the wanted error.",
            uncertainty * 100.0
        ));
    }
    let cheaper = advice.front.iter().find_map(|&k| {
        let one = &advice.tried[k];
        let other = one.figures()?;
        let within = is_within_uncertainty(other.force_error?, reference_force)
            && !advice.is_skin_too_far_off(other.skin);
        (within && other.median_ms < figures.median_ms).then_some((one, other))
    });
    if let Some((one, other)) = cheaper {
        sentences.push(format!(
            "{} is within it, too, for {:.2} ms.",
            capitalised(&method_and_settings(&one.candidate)),
            other.median_ms
        ));
    }
    sentences
}

/// Which cheaper candidate looks better than the advised one, and why it is not taken.
fn chance_sentence(advice: &Advice, advised: &CandidateFigures) -> Option<String> {
    let than = advised.point(advice.error_measure);
    let better = advice.tried.iter().filter_map(|one| {
        let point = advice.point(one)?;
        let finer = advice.tried.get(one.chance?)?.figures()?;
        let looks_better = !advice.choice.meets_all() || point.cost_ms < than.cost_ms;
        let is_near = point.error <= than.error.max(advice.error_limit());
        (looks_better && is_near).then_some((one, point, finer))
    });
    let (one, point, finer) = better.min_by(|a, b| a.1.cost_ms.total_cmp(&b.1.cost_ms))?;
    Some(format!(
        "{} is {:.1} % off for {:.2} ms, but a finer one of its kind is {:.1} % off: it agrees by chance on this poke, and is not advised.",
        capitalised(&method_and_settings(&one.candidate)),
        point.error * 100.0,
        point.cost_ms,
        finer.point(advice.error_measure).error * 100.0
    ))
}

/// Which cheaper candidate has a force as good, and a skin for which it is not taken.
fn skin_sentence(advice: &Advice, advised: &CandidateFigures) -> Option<String> {
    let than = advised.point(advice.error_measure);
    if advice.is_skin_too_far_off(than.skin) {
        return None;
    }
    let better = advice.tried.iter().filter_map(|one| {
        let point = advice.point(one).filter(|_| one.chance.is_none())?;
        let is_affordable = !advice.choice.meets_all() && advice.goal.affords(&point);
        let looks_better = is_affordable || point.cost_ms < than.cost_ms;
        let is_near = point.error <= than.error.max(advice.error_limit());
        (looks_better && is_near && advice.is_skin_too_far_off(point.skin)).then_some((one, point))
    });
    let (one, point) = better.min_by(|a, b| a.1.cost_ms.total_cmp(&b.1.cost_ms))?;
    Some(format!(
        "{} is {:.1} % off for {:.2} ms, but its skin is {:.2} % of the diagonal off: it is not advised.",
        capitalised(&method_and_settings(&one.candidate)),
        point.error * 100.0,
        point.cost_ms,
        point.skin * 100.0
    ))
}
