//! Builds one level: attempts, the judgement of each, and the choice among them.

mod attempt;
pub(crate) mod judgement;
pub(crate) mod level_builder;
mod search;
