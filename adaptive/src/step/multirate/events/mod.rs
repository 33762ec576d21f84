//! The events of a frame: kicks, constraints and drifts, tick by tick.

mod co_stepping;
mod drag;
mod frame;
pub(crate) mod frame_data;
mod kick;
mod node_steps;
mod tick;
