//! The goal of the advice, as the user enters it.

use pliant_simulation::advice::{Goal, GoalError};

/// The panel of advice.
#[derive(Debug, Clone, PartialEq)]
pub struct AdvicePanel {
    /// Whether it is shown.
    pub open: bool,
    /// Median wall time that a frame may take, ms.
    pub budget_ms: f64,
    /// Largest error, per cent.
    pub error_percent: f64,
    /// Largest distance of the skin from that of the reference, per cent of the diagonal of the body.
    pub skin_percent: f64,
    /// Whether the panes pause meanwhile.
    pub pauses: bool,
}

impl Default for AdvicePanel {
    fn default() -> Self {
        Self {
            open: false,
            budget_ms: Goal::DEFAULT_BUDGET_MS,
            error_percent: 100.0 * Goal::DEFAULT_ERROR,
            skin_percent: 100.0 * Goal::DEFAULT_SKIN_ERROR,
            pauses: true,
        }
    }
}

impl AdvicePanel {
    /// The goal.
    ///
    /// # Errors
    /// [`GoalError`] for an invalid goal.
    pub fn goal(&self) -> Result<Goal, GoalError> {
        Goal::new(self.budget_ms, self.error_percent / 100.0)?
            .with_skin_error(self.skin_percent / 100.0)
    }
}
