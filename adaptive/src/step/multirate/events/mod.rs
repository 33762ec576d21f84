//! The events of a frame: kicks, constraints and drifts, tick by tick.

mod co_stepping;
mod drag;
mod frame;
pub(crate) mod frame_constraints;
pub(crate) mod frame_totals;
mod kick;
mod node_steps;
pub(crate) mod substep_schedule;
mod tick;
