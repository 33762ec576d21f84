//! Whether what was found agrees with what was predicted.

use crate::compare::advice::timing::UNSTEADY_RATIO;

/// How far what was found is from what was predicted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Agreement {
    /// What was found minus what was predicted, over the size of the latter.
    pub difference: f64,
    /// Whether it is near enough; `None` where it is not, but nobody could tell.
    pub holds: Option<bool>,
}

impl Agreement {
    /// Largest difference of costs.
    pub const COST_TOLERANCE: f64 = 0.2;
    /// Largest difference of errors.
    pub const ERROR_TOLERANCE: f64 = 0.3;

    fn of(predicted: f64, found: f64, tolerance: f64, is_doubtful: bool) -> Self {
        let is_near = (found - predicted).abs() <= tolerance * predicted.abs();
        Self {
            difference: (found - predicted) / predicted.abs(),
            holds: (is_near || !is_doubtful).then_some(is_near),
        }
    }
}

/// Of two medians, ms. `unsteadiness` is the ratio of the times of equal runs: costs that differ on a busy machine say nothing.
pub(super) fn cost_agreement(predicted_ms: f64, found_ms: f64, unsteadiness: f64) -> Agreement {
    Agreement::of(
        predicted_ms,
        found_ms,
        Agreement::COST_TOLERANCE,
        unsteadiness > UNSTEADY_RATIO,
    )
}

/// Of two errors of a force, each with the uncertainty of its reference, all relative. Errors that are both within the uncertainty are not known well enough to differ.
pub(super) fn error_agreement(predicted: (f64, f64), found: (f64, f64)) -> Agreement {
    let is_doubtful = |(error, uncertainty): (f64, f64)| error.abs() <= uncertainty;
    Agreement::of(
        predicted.0,
        found.0,
        Agreement::ERROR_TOLERANCE,
        is_doubtful(predicted) && is_doubtful(found),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cost_holds_within_a_fifth_and_a_busy_machine_does_not_decide() {
        let holds = |found, unsteadiness| cost_agreement(0.5, found, unsteadiness).holds;
        for near in [0.41, 0.5, 0.59] {
            assert_eq!(holds(near, 1.0), Some(true));
            assert_eq!(holds(near, 1.8), Some(true));
        }
        for far in [0.39, 0.61] {
            assert_eq!(holds(far, 1.0), Some(false));
            assert_eq!(holds(far, 1.8), None);
        }
        let found = cost_agreement(0.5, 0.625, 1.0);
        assert_eq!(found.difference, 0.25);
    }

    #[test]
    fn an_error_holds_within_three_tenths_with_its_sign_unless_no_reference_is_so_sure() {
        let holds = |predicted, found| error_agreement((predicted, 0.02), (found, 0.03)).holds;
        assert_eq!(holds(0.1, 0.125), Some(true));
        assert_eq!(holds(-0.1, -0.075), Some(true));
        assert_eq!(holds(0.1, 0.14), Some(false));
        assert_eq!(holds(0.1, -0.1), Some(false));
        // one that is known to be off says that the other is wrong
        assert_eq!(holds(0.01, 0.05), Some(false));
        assert_eq!(holds(0.05, 0.02), Some(false));
        assert_eq!(holds(0.01, -0.02), None);
        assert_eq!(holds(0.0, 0.0), Some(true));
        assert_eq!(error_agreement((-0.25, 0.0), (-0.125, 0.0)).difference, 0.5);
    }
}
