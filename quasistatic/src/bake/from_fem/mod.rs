//! Green's functions from finite elements: one sparse factorisation, then one solution for each boundary unknown.

mod assembled_body;
mod columns;
mod corner_loads;
mod inside;
mod release;
mod support_solve;
mod surface_columns;
mod surface_weights;

pub(crate) use columns::from_fem;
pub(crate) use surface_columns::{SurfaceBake, surface_from_fem};
