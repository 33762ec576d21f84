//! Named points inside a body: their displacement and stress, and the effect of loads on them.
//!
//! Any quantity that is linear in the forces adds rows to the Green's functions (James and Pai 2003). Here these are the displacement and the stress of a
//! point for a unit force on each boundary node. A load at the point, such as the pull of a tendon, is a body force with three columns of
//! its own. By reciprocity these are the transposes of the rows of displacement.

mod error;
mod rows;
mod state;

pub use error::InsideLoadError;
pub use pliant_core::inspect::PointState;
pub use pliant_core::scene::NamedPoint;
pub(crate) use rows::add_stress;
pub use rows::{InsidePoint, NO_STRESS, PointResponse, StressRow};
pub(crate) use state::AppliedLoads;
