//! Which splits the budget pays for, decided before a frame runs.

pub mod contact_focus;
pub mod criterion;
mod decide;
mod floor;
mod refusal;

pub use decide::{Governor, Room};
pub use pliant_core::ladder::{Ladder, Rung};
pub use refusal::{Refusal, Wish};
