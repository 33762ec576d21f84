//! A body that moves by lattice shape matching: its state, its frames and its energies.

pub(crate) mod co_stepping;
pub(crate) mod deformable;
pub(crate) mod energy;
pub(crate) mod energy_account;
mod energy_guard;
pub(crate) mod frame;
pub(crate) mod lattice_model;
pub(crate) mod snapshot;

pub use lattice_model::{KIND, LatticeModel, NANOSECONDS_PER_PARTICLE_STEP};
