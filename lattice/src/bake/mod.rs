//! How a lattice is made from the voxels of a body.

pub(crate) mod assemble;
pub(crate) mod embedding;
mod fit;
mod frequency;
pub(crate) mod key;
pub(crate) mod masses;
mod multiplicity;
pub(crate) mod particles;
pub(crate) mod pipeline;
pub(crate) mod plan_builder;
pub(crate) mod stiffness_weights;

pub use key::key;
pub use pipeline::bake;
