//! Searches the budget of squared error with which the measured error is just below the tolerance.

/// An error of at least this share of the tolerance ends the search.
const ACCEPTED_SHARE: f64 = 0.9;
/// The share of the tolerance that the next budget aims at.
const TARGET_SHARE: f64 = 0.97;

/// The bracket of the search.
#[derive(Debug)]
pub(crate) struct BudgetSearch {
    tolerance: f64,
    /// the largest budget that met the tolerance
    low: f64,
    /// the least budget that missed the tolerance
    high: f64,
    least_error: f64,
}

impl BudgetSearch {
    pub(crate) fn new(tolerance: f64) -> Self {
        Self {
            tolerance,
            low: 0.0,
            high: f64::INFINITY,
            least_error: f64::INFINITY,
        }
    }

    /// The next budget to try after one with this error; `None` where the error is close to the tolerance.
    pub(crate) fn next(&mut self, budget: f64, error: f64) -> Option<f64> {
        self.least_error = self.least_error.min(error);
        if error <= self.tolerance {
            self.low = self.low.max(budget);
            if error >= ACCEPTED_SHARE * self.tolerance || error == 0.0 {
                return None;
            }
        } else {
            self.high = self.high.min(budget);
        }
        if self.high < 1.05 * self.low {
            return None;
        }
        // the error follows the root of the budget, if every column has its share
        let factor = (TARGET_SHARE * self.tolerance / error)
            .powi(2)
            .clamp(1e-3, 1e3);
        let proposed = budget * factor;
        let is_between = 1.02 * self.low < proposed && proposed < 0.98 * self.high;
        Some(match is_between {
            true => proposed,
            false if self.low == 0.0 => 0.7 * self.high,
            false if self.high.is_infinite() => 1.4 * self.low,
            false => (self.low * self.high).sqrt(),
        })
    }

    /// The least error of all that were tried.
    pub(crate) fn least_error(&self) -> f64 {
        self.least_error
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_found_though_the_error_does_not_follow_its_root() {
        for power in [0.2, 0.5, 1.5] {
            let error = |budget: f64| 0.3 * budget.powf(power);
            let mut search = BudgetSearch::new(0.01);
            let mut budget = 5.0;
            let mut tried = 1;
            while let Some(next) = search.next(budget, error(budget)) {
                budget = next;
                tried += 1;
            }
            assert!(tried <= 12, "{tried}");
            assert!(error(budget) <= 0.01 && error(budget) >= 0.009);
        }
    }
}
