//! Skins that the graphics card computes from control points (skinning).
//!
//! A model that offers a [`SkinBinding`](pliant_core::mesh::SkinBinding) can be drawn from its control points: only these are uploaded in each
//! frame. Two layouts give the same picture:
//!
//! - [`texture`]: control points in a float texture, one in each texel. A vertex has the numbers of its eight control points, its place in their
//!   cell, and its normal at rest in coordinates of the cell.
//! - [`batches`]: triangles in batches, each with so few control points that they fit into a uniform block. A vertex has the numbers of its
//!   eight control points in the block, and eight weights each for its place and for two tangents (Rivers and James 2007, section 4).
//!
//! Nothing here talks to the driver. [`emulate`] computes what the shaders compute, in their arithmetic; [`difference`] compares
//! either with the skin that the processor computes.

pub mod attribute;
pub mod batches;
mod choice;
pub mod difference;
pub mod emulate;
pub mod prepared;
pub mod skinned_surface;
#[cfg(test)]
mod tests;
pub mod texture;

pub use choice::SkinChoice;
pub use prepared::{PointUpload, PreparedSkin};
pub use skinned_surface::SkinnedSurface;
