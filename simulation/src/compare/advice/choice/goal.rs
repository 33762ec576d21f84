//! The goal of an advice: how long a frame may take, and how large the errors may be.

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
        "an error of {} % is not possible\n  remedy: give a share above 0 and below 1, such as 2% or 0.02",
        percent(*.error)
    )]
    BadError {
        /// What was asked for, relative.
        error: f64,
    },
    /// The same for the distance of the skins.
    #[error(
        "a skin error of {} % is not possible\n  remedy: give a share of the diagonal above 0 and below 1, such as 1% or 0.01",
        percent(*.error)
    )]
    BadSkinError {
        /// What was asked for, over the diagonal.
        error: f64,
    },
}

/// A share in per cent, without the digits that only round-off gives: 0.07 is 7 %.
pub(in crate::compare::advice) fn percent(share: f64) -> f64 {
    (share * 1e11).round() / 1e9
}

/// How long a frame may take, and how large the errors may be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Goal {
    budget_ms: f64,
    error: f64,
    skin_error: f64,
}

impl Goal {
    /// Median wall time of a frame where none is given, ms.
    pub const DEFAULT_BUDGET_MS: f64 = 8.0;
    /// Relative error where none is given.
    pub const DEFAULT_ERROR: f64 = 0.05;
    /// Largest distance of the skins over the diagonal where none is given: 5 pixels of a body that is 500 pixels long, and a quarter of the depth to which the ball of `drop-in`
    /// presses.
    pub const DEFAULT_SKIN_ERROR: f64 = 0.01;

    /// `budget_ms` is the median wall time of a frame, up to 1e6; `error` is relative, between 0 and 1. The skin may be off by 1 % of the diagonal ([`Self::with_skin_error`]).
    ///
    /// # Errors
    /// [`GoalError`] for values out of range and NaN.
    pub fn new(budget_ms: f64, error: f64) -> Result<Self, GoalError> {
        if !(budget_ms > 0.0 && budget_ms <= MAX_BUDGET_MS) {
            return Err(GoalError::BadBudget { ms: budget_ms });
        }
        if !is_share(error) {
            return Err(GoalError::BadError { error });
        }
        Ok(Self {
            budget_ms,
            error,
            skin_error: Self::DEFAULT_SKIN_ERROR,
        })
    }

    /// The same goal with another limit for the root mean square distance of the skins over the diagonal of the body, between 0 and 1.
    ///
    /// # Errors
    /// [`GoalError::BadSkinError`] for a value out of range and NaN.
    pub fn with_skin_error(self, skin_error: f64) -> Result<Self, GoalError> {
        match is_share(skin_error) {
            true => Ok(Self { skin_error, ..self }),
            false => Err(GoalError::BadSkinError { error: skin_error }),
        }
    }

    /// Median wall time that a frame may take, ms.
    pub fn budget_ms(&self) -> f64 {
        self.budget_ms
    }

    /// Relative error that is still good enough.
    pub fn error(&self) -> f64 {
        self.error
    }

    /// Distance of the skins over the diagonal that is still good enough.
    pub fn skin_error(&self) -> f64 {
        self.skin_error
    }

    /// Whether the cost is within the budget.
    pub(crate) fn affords(&self, point: &CostAndError) -> bool {
        point.cost_ms <= self.budget_ms
    }

    /// Whether error and skin are within their limits.
    pub(crate) fn is_exact_enough(&self, point: &CostAndError) -> bool {
        point.error <= self.error && point.skin <= self.skin_error
    }

    /// Whether cost, error and skin are within their limits.
    pub fn is_met_by(&self, point: &CostAndError) -> bool {
        self.affords(point) && self.is_exact_enough(point)
    }

    /// The point by which a candidate is judged: a skin that is off by several times its limit counts like an error of as many times its own limit, if that is more than the error.
    /// A skin within its limit changes nothing.
    pub fn judged(&self, point: &CostAndError) -> CostAndError {
        let excess = point.skin / self.skin_error;
        let least = self.error * excess;
        match excess > 1.0 && point.error < least {
            true => CostAndError {
                error: least,
                ..*point
            },
            false => *point,
        }
    }
}

fn is_share(value: f64) -> bool {
    value > 0.0 && value < 1.0
}
