//! Which method suits a body, with which settings, and why.
//!
//! [`advise`] runs a list of [`Candidate`]s on the scene: each method at several resolutions. All are judged by one reference, with the figures that
//! [`compare`](crate::compare::compare) has against it. A candidate whose agreement
//! is chance is set aside. Those stay that no other beats in both cost and error, where a skin that is too far off counts like a large error.
//! One of them is chosen for a [`Goal`], and the reason says why in plain words. [`confirm`] runs the advised scene again, and on another poke.
//!
//! Errors have the same bits for any number of threads. Costs are wall times of this machine, and with them the choice.

mod advise;
mod candidates;
mod choice;
mod confirmation;
mod error;
mod figures;
mod job;
mod reason;
mod result;
mod timing;
mod trial;

#[cfg(test)]
mod tests;

pub use advise::{AdviceObserver, AdviceOptions, advise};
pub use candidates::{Candidate, Family, SceneText, Setting, SettingValue};
pub use choice::{Choice, CostAndError, Goal, GoalError};
pub use confirmation::{Agreement, Confirmation, OtherPoke, confirm};
pub use error::AdviceError;
pub use figures::{CandidateFigures, ErrorMeasure};
pub(crate) use job::AdviceJob;
pub use job::AdviceProgress;
pub use result::{Advice, Doubt, Outcome, TriedCandidate};
