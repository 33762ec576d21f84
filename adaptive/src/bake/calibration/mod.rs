//! Stiffness factors with which coarse levels answer as fine ones do.

pub mod coarsening;
mod energies;
mod level_factor;
mod matrix;
mod modes;
mod rigid_modes;
mod target;

pub use level_factor::MAX_NODES;
pub(crate) use level_factor::calibrate;
pub use modes::Modes;
pub(crate) use modes::modes_of;
pub use target::{Target, prolongate};
