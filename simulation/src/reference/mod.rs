//! What the answer of a scene converges to, and how far each method is from it.
//!
//! The reference runs the same scene, contact and frames on fine levels of finite elements. Each level moves as a whole and without a budget, with the material's own
//! nonlinear law, inertia and damping.
//!
//! There are two runs, on the finest level and on one with a quarter of its nodes. Their difference tells how far the finer one may still be from the limit (the grid
//! convergence index: Richardson's estimate with a factor of safety). Each run is kept in the cache by the hash of everything it depends on, so that a reference that was
//! cancelled goes on with the second run.
//!
//! An estimate is one run on 3,000 nodes. It takes seconds, and stands in until the reference is there.
//!
//! There are references without inertia, too ([`ReferenceKind`]): a static one, in which the body comes to rest in each frame, and a linear one, which is linear elasticity by a
//! factorised stiffness. Their differences from the dynamic one, on the same meshes and with the same contact, are what inertia and linear strains do.
//!
//! A reference belongs to a [`Span`] of frames: those of the scene's script, or those in which a hand touched the body.

mod accuracy;
mod causes;
mod compute;
mod distance;
mod equilibrium;
mod job;
mod kind;
mod ranking;
mod reference_force;
mod result;
mod runs;
mod wording;

pub use accuracy::Accuracy;
pub use causes::{Cause, Simplification, causes};
pub(crate) use compute::ignored_key_notes;
pub use compute::{estimate, reference, reference_on};
pub use distance::SurfaceDistance;
pub(crate) use distance::surface_distance;
pub(crate) use job::{ReferenceJob, start_reference};
pub use kind::ReferenceKind;
pub use ranking::{Ranking, ranking};
pub use reference_force::ReferenceForce;
pub use result::Reference;
pub use runs::{RecordedRun, Span};
pub use wording::{deviation, is_within_uncertainty, side, side_in_whole};

#[cfg(test)]
mod tests;
