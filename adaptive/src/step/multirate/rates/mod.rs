//! How often each element fires.

pub(crate) mod element_steps;
pub(crate) mod forecast;
pub(crate) mod prepare;
pub(crate) mod rate_coupling;
pub(crate) mod selective_mass_scaling;
