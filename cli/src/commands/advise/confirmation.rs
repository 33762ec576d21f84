//! What the advised scene does when it runs again: sentences and JSON.

use std::path::Path;
use std::sync::Arc;

use pliant_simulation::advice::{Advice, Agreement, Confirmation, ErrorMeasure, confirm};
use pliant_simulation::reference::side;
use pliant_simulation::scenes::{ImportOptions, load};
use serde_json::{Value, json};

use crate::failure::{Failure, one_line};
use crate::session::Session;

/// Opens the scene that was written, and runs it again.
pub(super) fn confirm_written(
    session: &Session,
    scene: &Path,
    advice: &Advice,
) -> Result<Confirmation, Failure> {
    let loaded = load(scene, &ImportOptions::default())?;
    let setup = Arc::new(session.prepare(&loaded)?);
    let confirmed = confirm(advice, &setup, &session.cache, &session.progress)?;
    confirmed.map_err(|fault| {
        let (method, reason) = (advice.advised().method.name(), one_line(&fault.reason));
        Failure::bad_input(
            "NotConfirmed",
            format!("{method} did not run the advised scene: {reason}"),
            "please report it with the command and the input",
        )
        .at(scene.display().to_string())
    })
}

/// What was found beside what was advised, and whether it agrees.
pub(super) fn sentences(confirmation: &Confirmation, advice: &Advice) -> Vec<String> {
    let mut sentences = vec![both_figures(confirmation, advice)];
    if let Some(cost) = confirmation.cost(advice) {
        let unsteadiness = confirmation.larger_unsteadiness(advice);
        sentences.push(cost_sentence(&cost, unsteadiness));
    }
    sentences.push(error_sentence(confirmation, advice));
    sentences
}

/// The figures of the same scene side by side. Its errors have the same bits.
fn both_figures(confirmation: &Confirmation, advice: &Advice) -> String {
    let Some(advised) = advice.advised_figures() else {
        return String::new();
    };
    let found = &confirmation.figures;
    let measure = advice.error_measure;
    let skin = match measure {
        ErrorMeasure::Force => format!(
            ", skin {:.2} % (advised with {:.2} %)",
            found.skin * 100.0,
            advised.skin * 100.0
        ),
        ErrorMeasure::Skin => String::new(),
    };
    format!(
        "Run once more: {:.2} ms (advised with {:.2} ms), error {:+.2} % (advised with {:+.2} %){skin}.",
        found.median_ms,
        advised.median_ms,
        found.error(measure) * 100.0,
        advised.error(measure) * 100.0
    )
}

/// "Cost confirmed: 4.0 % below the advised one (20 % allowed)."
fn cost_sentence(cost: &Agreement, unsteadiness: f64) -> String {
    let (word, off) = (verdict(cost.holds), side(cost.difference));
    let allowed = Agreement::COST_TOLERANCE * 100.0;
    let doubt = match cost.holds {
        None => format!(
            ", but times of the same frames differed by a factor of {unsteadiness:.1}: the machine is busy with other work"
        ),
        Some(_) => String::new(),
    };
    format!("Cost {word}: {off} the advised one ({allowed:.0} % allowed){doubt}.")
}

/// Whether the error holds on another poke, or why that is not known.
fn error_sentence(confirmation: &Confirmation, advice: &Advice) -> String {
    let poke = match &confirmation.other_poke {
        Ok(poke) => poke,
        Err(reason) => {
            let reason = one_line(reason);
            return format!("Error not checked on another poke: {reason}.");
        }
    };
    let predicted = advice.advised_figures().and_then(|f| f.force_error);
    let both = (predicted, poke.figures.force_error);
    let (Some(error), (Some(predicted), Some(found))) = (confirmation.error(advice), both) else {
        return "Error not checked on another poke: no force was felt.".into();
    };
    let doubt = match error.holds {
        None => "; both are within the uncertainty of their references",
        Some(_) => "",
    };
    format!(
        "Error {} on a poke of {:.2} mm instead of {:.2} mm: force {:+.2} % (predicted {:+.2} %, {:.0} % of that allowed){doubt}.",
        verdict(error.holds),
        poke.depth * 1e3,
        poke.advised_depth * 1e3,
        found * 100.0,
        predicted * 100.0,
        Agreement::ERROR_TOLERANCE * 100.0
    )
}

fn verdict(holds: Option<bool>) -> &'static str {
    match holds {
        Some(true) => "confirmed",
        Some(false) => "not confirmed",
        None => "undecided",
    }
}

/// As JSON.
pub(super) fn confirmation_json(confirmation: &Confirmation, advice: &Advice) -> Value {
    let (cost, error) = (confirmation.cost(advice), confirmation.error(advice));
    let found = &confirmation.figures;
    let other_poke = confirmation.other_poke.as_ref().ok().map(|poke| {
        json!({
            "depth_m": poke.depth,
            "advised_depth_m": poke.advised_depth,
            "median_ms": poke.figures.median_ms,
            "force_n": poke.figures.force,
            "force_error": poke.figures.force_error,
            "skin_error": poke.figures.skin,
            "reference_force_n": poke.reference_force.force,
            "uncertainty": poke.reference_force.relative_uncertainty(),
        })
    });
    json!({
        "median_ms": found.median_ms,
        "force_error": found.force_error,
        "skin_error": found.skin,
        "surface_hash": format!("{:016x}", found.surface_hash),
        "unsteadiness": confirmation.unsteadiness,
        "cost_difference": cost.map(|cost| cost.difference),
        "cost_within_20_percent": cost.and_then(|cost| cost.holds),
        "other_poke": other_poke,
        "error_difference": error.map(|error| error.difference),
        "error_within_30_percent": error.and_then(|error| error.holds),
        "summary": sentences(confirmation, advice),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cost_is_confirmed_or_not_or_the_machine_is_busy() {
        let told = |difference: f64, holds: Option<bool>| {
            cost_sentence(&Agreement { difference, holds }, 1.8)
        };
        assert_eq!(
            told(-0.04, Some(true)),
            "Cost confirmed: 4.0 % below the advised one (20 % allowed)."
        );
        assert_eq!(
            told(0.26, Some(false)),
            "Cost not confirmed: 26 % above the advised one (20 % allowed)."
        );
        assert_eq!(
            told(-0.26, None),
            "Cost undecided: 26 % below the advised one (20 % allowed), but times of the same frames differed by a factor of 1.8: the machine is busy with other work."
        );
    }
}
