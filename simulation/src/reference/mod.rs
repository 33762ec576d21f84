//! What the answer of a scene converges to, and how far each method is from it.
//!
//! The reference runs the same scene, contact and frames on fine levels of finite elements, each moving as a whole and without a budget: the material's own nonlinear law,
//! inertia and damping included. It is run twice, on the finest level and on one with a quarter of its nodes. The difference of both tells how far the finer one may still be
//! from the limit (the grid convergence index: Richardson's estimate with a factor of safety). Both runs are kept in the cache by the hash of everything they depend on, one
//! by one, so that a reference that was cancelled goes on with the second.

mod accuracy;
mod causes;
mod compute;
mod distance;
mod firm_force;
mod job;
mod levels;
mod ranking;
mod recorded;
mod result;
mod runs;
mod wording;

pub use accuracy::Accuracy;
pub use causes::{Cause, Simplification, causes};
pub(crate) use compute::remarks;
pub use compute::{reference, reference_on};
pub use distance::{SurfaceDistance, position_distance, surface_distance};
pub use firm_force::FirmForce;
pub use job::ReferenceJob;
pub use levels::{MOST_REFERENCE_NODES, REFERENCE_NODES, reference_nodes};
pub use ranking::{Ranking, ranking};
pub use recorded::RecordedRun;
pub use result::Reference;
pub use wording::{deviation, is_within_uncertainty, side};

#[cfg(test)]
mod tests;
