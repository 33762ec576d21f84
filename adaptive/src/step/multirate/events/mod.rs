//! What happens in a frame: kicks, constraints and drifts, tick by tick.

mod co_stepping;
pub(crate) mod fire;
mod nodewise;
pub(crate) mod substep_schedule;
