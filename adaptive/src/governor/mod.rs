//! Which splits the budget pays for, decided before a frame runs.

pub mod contact_focus;
pub mod criterion;
mod cut_budget;
mod decide;
mod floor;
mod refusal;

pub use cut_budget::CutBudget;
pub use decide::Governor;
pub use refusal::{Refusal, Wish};
