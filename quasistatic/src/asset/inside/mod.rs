//! Named points inside a body: what they feel, and what a load on them does.
//!
//! Anything linear in the state can stand beside the Green's functions as further rows (James and Pai 2003): the displacement and the stress of a
//! point for a unit force on each boundary node. A load at the point, the pull of a tendon say, is a body force with three columns of
//! its own; by reciprocity these are the transposes of the rows of displacement.

mod error;
mod rows;
mod state;

pub use error::InsideLoadError;
pub use pliant_core::inspect::PointState;
pub(crate) use rows::add_stress;
pub use rows::{InsidePoint, NO_STRESS, NamedPoint, PointResponse, StressRow};
pub(crate) use state::AppliedLoads;
