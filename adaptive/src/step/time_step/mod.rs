//! The stable time step, from the highest frequency of every element, its stretch and the damping.

pub(crate) mod courant;
pub(crate) mod element_bounds;
pub(crate) mod rate;
mod step_control;
pub(crate) mod stiffening;

pub use rate::substeps_for;
pub(crate) use step_control::{FRAMES_BEFORE_DECREASE, may_decrease_steps};
pub use step_control::{StateScan, StepControl};
