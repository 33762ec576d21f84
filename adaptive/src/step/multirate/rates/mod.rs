//! How often each element fires.

pub(crate) mod element_coupling;
pub(crate) mod element_steps;
pub(crate) mod energy_monitor;
pub(crate) mod forecast;
pub(crate) mod inertia;
mod memory;
pub(crate) mod preparation;
pub(crate) mod prices;
mod rate_coupling;
mod scan;
pub(crate) mod step_level;
pub(crate) mod torn;
