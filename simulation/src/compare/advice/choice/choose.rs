//! Which candidate is advised.

use super::front::{CostAndError, pareto_front};
use super::goal::Goal;

/// The advised candidate by its number, and how it stands to the goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// The cheapest of those that meet both limits.
    MeetsBoth(usize),
    /// None meets both: the most exact of those within the budget.
    MostExactWithinBudget(usize),
    /// None is within the budget: the cheapest.
    Cheapest(usize),
}

impl Choice {
    /// Number of the candidate.
    pub fn index(self) -> usize {
        match self {
            Self::MeetsBoth(k) | Self::MostExactWithinBudget(k) | Self::Cheapest(k) => k,
        }
    }

    /// Whether both limits are met.
    pub fn meets_both(self) -> bool {
        matches!(self, Self::MeetsBoth(_))
    }
}

/// Chooses from the Pareto front of `points`; `None` where there are none.
///
/// The budget comes first, because a frame that is late is seen at once. A larger budget never leads to a larger error.
pub fn choose(points: &[CostAndError], goal: &Goal) -> Option<Choice> {
    // ascending in cost, descending in error
    let front = pareto_front(points);
    let cheapest = *front.first()?;
    let meets = |k: &&usize| goal.is_met_by(&points[**k]);
    if let Some(&k) = front.iter().find(meets) {
        return Some(Choice::MeetsBoth(k));
    }
    let affordable = front.iter().rev().find(|k| goal.affords(&points[**k]));
    Some(match affordable {
        Some(&k) => Choice::MostExactWithinBudget(k),
        None => Choice::Cheapest(cheapest),
    })
}
