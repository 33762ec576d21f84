//! Ambient occlusion of the skin at rest: how much of the light from all sides reaches each vertex.
//!
//! It is computed once for a scene, beside the window, and goes along with the vertices as they move. Bodies hide light from
//! themselves alone, since they do not stay beside each other.

mod bake;
mod job;
mod shares;

pub use job::OcclusionJob;
pub use shares::SkinOcclusion;
