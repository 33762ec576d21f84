//! Ambient occlusion of the skin at rest: how much of the light from all sides reaches each vertex.
//!
//! It is computed once for a scene, in the background, and moves with the vertices. Bodies occlude only themselves, because
//! they move relative to each other.

mod bake;
mod job;
mod shares;

pub use job::OcclusionJob;
pub use shares::SkinOcclusion;
