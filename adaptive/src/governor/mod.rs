//! The decision on splits and merges within the budget, before each frame.

pub(crate) mod contact_focus;
pub mod criterion;
mod decide;
mod floor;
mod refusal;

pub(crate) use decide::{CutBudget, Governor};
pub(crate) use refusal::SplitReason;
