//! The timeline of a window: what happened lately, to go back to.
//!
//! The hand's input and the work units of every frame are kept, and the states of all methods every few frames. A frame in between is reached by stepping
//! again from the state before it: the same input gives the same bits. See [`kept`] for how memory is bounded.

mod inputs;
mod kept;
mod parameters;
mod record;
mod seek;
mod status;
#[cfg(test)]
mod tests;

pub(super) use record::Timeline;
pub use status::TimelineStatus;
