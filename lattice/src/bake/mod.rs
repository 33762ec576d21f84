//! How a lattice is made from the voxels of a body.

pub(crate) mod embedding;
mod fit;
mod frequency;
pub(crate) mod masses;
mod multiplicity;
pub(crate) mod pipeline;
pub(crate) mod stiffness_weights;

pub use pipeline::{bake, key};
