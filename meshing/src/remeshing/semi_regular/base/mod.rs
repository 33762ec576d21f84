//! The base mesh: vertices are removed one after the other, and every removal is recorded.

pub(crate) mod coarse;
pub(crate) mod decimation;
mod history;
pub(crate) mod parts;
