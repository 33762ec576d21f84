//! Builds one level: attempts, the judgement of each, and the choice among them.

pub(crate) mod goal;
pub(crate) mod level_builder;
