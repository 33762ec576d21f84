//! The decision on splits and merges within the budget, before each frame.

pub mod contact_focus;
pub mod criterion;
mod decide;
mod floor;
mod refusal;

pub use decide::{CutBudget, Governor};
pub use refusal::{Refusal, SplitReason};
