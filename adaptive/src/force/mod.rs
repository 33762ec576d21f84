//! Nodal forces of tetrahedra and springs.

mod block;
mod constants;
mod corotated;
pub mod damping;
pub mod fast;
mod field;
mod lane_law;
pub mod lanes;
pub(crate) mod recovery;
pub mod reference;
pub(crate) mod rigid_motion;
pub mod springs;

pub(crate) use constants::FINITE_CHECK_INTERVAL;
pub use constants::{ElementConstants, Evaluation, NEAR_INVERTED};
pub use field::ForceField;
