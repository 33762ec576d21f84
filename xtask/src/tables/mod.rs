//! Tables of documents that a command measures again.

pub mod accuracy;
mod chart;
mod document;
pub mod performance;
