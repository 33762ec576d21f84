//! The goal of an advice: how long a frame may take, and how large the error may be.

use super::front::CostAndError;

/// Longest budget of a frame, ms.
const MAX_BUDGET_MS: f64 = 1e6;

/// A goal that makes no sense.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum GoalError {
    /// The budget is no time that a frame can take.
    #[error(
        "a budget of {ms} ms is not possible\n  remedy: give milliseconds above 0 and up to {MAX_BUDGET_MS}"
    )]
    BadBudget {
        /// What was asked for, ms.
        ms: f64,
    },
    /// The error is none that can be reached, or none that says anything.
    #[error(
        "an error of {} % is no goal\n  remedy: give a share above 0 and below 1, such as 2% or 0.02",
        .error * 100.0
    )]
    BadError {
        /// What was asked for, relative.
        error: f64,
    },
}

/// How long a frame may take, and how large the error may be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Goal {
    budget_ms: f64,
    error: f64,
}

impl Goal {
    /// `budget_ms` is the median wall time of a frame, up to 1e6; `error` is relative, between 0 and 1.
    ///
    /// # Errors
    /// [`GoalError`] for values out of range and NaN.
    pub fn new(budget_ms: f64, error: f64) -> Result<Self, GoalError> {
        if !(budget_ms > 0.0 && budget_ms <= MAX_BUDGET_MS) {
            return Err(GoalError::BadBudget { ms: budget_ms });
        }
        if !(error > 0.0 && error < 1.0) {
            return Err(GoalError::BadError { error });
        }
        Ok(Self { budget_ms, error })
    }

    /// Median wall time that a frame may take, ms.
    pub fn budget_ms(&self) -> f64 {
        self.budget_ms
    }

    /// Relative error that is still good enough.
    pub fn error(&self) -> f64 {
        self.error
    }

    /// Whether the cost is within the budget.
    pub fn affords(&self, point: &CostAndError) -> bool {
        point.cost_ms <= self.budget_ms
    }

    /// Whether both are within their limits.
    pub fn is_met_by(&self, point: &CostAndError) -> bool {
        self.affords(point) && point.error <= self.error
    }
}
