//! Which candidate is advised.

use super::front::{CostAndError, pareto_front};
use super::goal::Goal;

/// The advised candidate by its number, and how it stands to the goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// The cheapest of those that meet all limits.
    MeetsAll(usize),
    /// None meets all: the most exact of those within the budget.
    MostExactWithinBudget(usize),
    /// None is within the budget: the cheapest.
    Cheapest(usize),
}

impl Choice {
    /// Number of the candidate.
    pub fn index(self) -> usize {
        match self {
            Self::MeetsAll(k) | Self::MostExactWithinBudget(k) | Self::Cheapest(k) => k,
        }
    }

    /// Whether all limits are met.
    pub fn meets_all(self) -> bool {
        matches!(self, Self::MeetsAll(_))
    }
}

/// The Pareto front of `points` as `goal` judges them ([`Goal::judged`]): no candidate whose skin is too far off is on it because its force is right.
pub(in crate::compare::advice) fn judged_front(points: &[CostAndError], goal: &Goal) -> Vec<usize> {
    let judged: Vec<CostAndError> = points.iter().map(|point| goal.judged(point)).collect();
    pareto_front(&judged)
}

/// Chooses from the [`judged_front`] of `points`; `None` where there are none.
///
/// The budget comes first, because a frame that is late is seen at once. A larger budget never leads to a larger error, as it is judged.
pub(in crate::compare::advice) fn choose(points: &[CostAndError], goal: &Goal) -> Option<Choice> {
    // ascending in cost, descending in error
    let front = judged_front(points, goal);
    let cheapest = *front.first()?;
    let meets = |k: &&usize| goal.is_met_by(&points[**k]);
    if let Some(&k) = front.iter().find(meets) {
        return Some(Choice::MeetsAll(k));
    }
    let affordable = front.iter().rev().find(|k| goal.affords(&points[**k]));
    Some(match affordable {
        Some(&k) => Choice::MostExactWithinBudget(k),
        None => Choice::Cheapest(cheapest),
    })
}
