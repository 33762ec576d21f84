//! Tables of documents that a command measures anew.

pub mod accuracy;
mod chart;
mod document;
pub mod performance;
