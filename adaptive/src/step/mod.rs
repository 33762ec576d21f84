//! Time integration: one level with one step, or a cut whose elements have steps of their own.

pub mod filter;
pub mod level_dynamics;
pub mod mass_scaling;
pub mod multirate;
pub(crate) mod selective_mass_scaling;
pub(crate) mod subcycling;
pub(crate) mod time_step;
