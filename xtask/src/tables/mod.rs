//! Tables of documents that a command measures again.

pub mod accuracy;
pub mod advice;
mod chart;
mod document;
pub mod performance;
