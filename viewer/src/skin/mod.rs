//! Skins that the graphics card bends: from control points alone, a frame.
//!
//! A model that offers a [`SkinBinding`](pliant_core::mesh::SkinBinding) is drawn from its control points. Two layouts do the same:
//!
//! - [`texture`]: control points in a float texture, a texel each; a vertex has the numbers of its eight, its place in the cell and its normal at
//!   rest in coordinates of the cell.
//! - [`batches`]: triangles in batches that touch few enough control points for a block of uniforms; a vertex has the numbers of its eight in the
//!   block and eight weights each for place and two tangents (Rivers and James 2007, section 4).
//!
//! Nothing here talks to the driver. [`emulate`] computes what the shaders compute, in their arithmetic and from the same bytes; [`difference`] compares
//! either with the skin that the processor bends.

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
