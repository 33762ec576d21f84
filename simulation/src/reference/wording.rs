//! A deviation in plain words, the same in window, report and on the command line.

use super::reference_force::ReferenceForce;
use super::result::Reference;

/// "4.2 % above the reference", or "the linear reference", and whether that is within the uncertainty of the reference. `error` is relative.
pub fn deviation(error: f64, reference: &Reference) -> String {
    let adjective = reference.kind.adjective();
    let name = match reference.is_estimate() {
        true => format!("the estimated {adjective}reference"),
        false => format!("the {adjective}reference"),
    };
    match &reference.force {
        Some(reference_force) if is_within_uncertainty(error, reference_force) => {
            format!("{} {name}, within its uncertainty", side(error))
        }
        _ => format!("{} {name}", side(error)),
    }
}

/// "4.2 % above": a relative error by its size and side, without what it is compared with.
pub fn side(error: f64) -> String {
    let percent = error.abs() * 100.0;
    let digits = if percent < 9.95 { 1 } else { 0 };
    format!("{percent:.digits$} % {}", above_or_below(error))
}

/// "4 % above": as [`side`], for what is known roughly.
pub fn side_in_whole(error: f64) -> String {
    format!("{:.0} % {}", error.abs() * 100.0, above_or_below(error))
}

fn above_or_below(error: f64) -> &'static str {
    match error > 0.0 {
        true => "above",
        false => "below",
    }
}

/// Whether the error is within the uncertainty of the reference's force.
pub fn is_within_uncertainty(error: f64, reference_force: &ReferenceForce) -> bool {
    error.abs() * reference_force.force <= reference_force.uncertainty
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::{RecordedRun, ReferenceKind};

    #[test]
    fn deviations_say_side_and_doubt() {
        let of = |uncertainty: f64, coarse: Option<RecordedRun>| Reference {
            coarse,
            force: Some(ReferenceForce {
                curve: 0,
                frames: vec![0],
                force: 2.0,
                uncertainty,
            }),
            ..Reference::default()
        };
        let reference = of(0.05, Some(RecordedRun::default()));
        let estimate = of(0.4, None);
        assert_eq!(deviation(0.042, &reference), "4.2 % above the reference");
        assert_eq!(deviation(-0.42, &reference), "42 % below the reference");
        assert_eq!(
            deviation(-0.42, &estimate),
            "42 % below the estimated reference"
        );
        assert_eq!(side_in_whole(-0.042), "4 % below");
        let linear = Reference {
            kind: ReferenceKind::Linear,
            ..reference.clone()
        };
        let off = "42 % below the linear reference";
        assert_eq!(deviation(-0.42, &linear), off);
        let unsure = "4.2 % above the estimated reference, within its uncertainty";
        assert_eq!(deviation(0.042, &estimate), unsure);
        assert_eq!(
            deviation(-0.02, &reference),
            "2.0 % below the reference, within its uncertainty"
        );
    }
}
