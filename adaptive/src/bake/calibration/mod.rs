//! Stiffness factors with which coarse levels answer as fine ones do.

pub mod coarsening;
mod energies;
mod level_factor;
mod matrix;
mod modes;

pub use level_factor::{MOST_NODES, Target, carry};
pub(crate) use level_factor::{calibrate, modes_of};
pub use modes::Modes;
