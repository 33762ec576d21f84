//! Which candidate is advised: the goal, the Pareto front, and what agrees by chance.

mod chance;
mod choose;
mod front;
mod goal;

pub(super) use chance::agreeing_by_chance;
pub use choose::Choice;
pub(super) use choose::{choose, judged_front};
pub use front::CostAndError;
#[cfg(test)]
pub(super) use front::pareto_front;
pub(super) use goal::percent;
pub use goal::{Goal, GoalError};
