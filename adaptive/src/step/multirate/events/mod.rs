//! What happens in a frame: kicks, constraints and drifts, tick by tick.

mod co_stepping;
pub(crate) mod contact_part;
mod drag;
pub(crate) mod fired;
mod frame;
mod kick;
mod node_steps;
pub(crate) mod substep_schedule;
mod tick;
