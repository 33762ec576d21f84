//! Which splits the budget pays for, decided before a frame runs.

pub mod contact_focus;
pub mod criterion;
mod decide;
mod floor;
mod refusal;

pub use decide::{CutBudget, Governor};
pub use refusal::{Refusal, SplitReason};
