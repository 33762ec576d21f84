//! Tables of documents that a command measures anew.

pub mod accuracy;
mod document;
pub mod performance;
