//! Subdivision: every triangle of a closed surface becomes four, again and again, with one numbering.
//!
//! Even vertices keep their numbers, the odd vertex of edge `e` is `V + e` ([`EdgeTable`]), so level l is a prefix of level l + 1. [`Scheme::Midpoint`]
//! keeps the shape; [`Scheme::Loop`] rounds it (Loop 1987) but for the edges tagged as sharp (Hoppe et al. 1994). [`DisplacedSurface`] draws a fine surface over the second.
//!
//! ```
//! use pliant_core::asset::Progress;
//! use pliant_core::math::Vec3;
//! use pliant_core::mesh::SurfaceMesh;
//! use pliant_meshing::subdivide::{Scheme, SharpEdges, subdivide};
//! let x = vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
//! let base = SurfaceMesh::new(x, vec![[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]]);
//! let result = subdivide(&base, 2, Scheme::Loop, &SharpEdges::none(), &Progress::new())?;
//! let counts: Vec<usize> = result.levels.iter().map(|l| l.vertex_count()).collect();
//! assert_eq!(counts, [4, 10, 34]);
//! # Ok::<(), pliant_meshing::subdivide::SubdivideError>(())
//! ```

mod displaced;
#[cfg(test)]
mod displaced_tests;
mod edges;
mod error;
pub(crate) mod levels;
mod rows;
mod sharp;
#[cfg(test)]
mod tests;

pub use displaced::DisplacedSurface;
pub use edges::EdgeTable;
pub use error::SubdivideError;
pub(crate) use error::require_closed_manifold;
pub use levels::{Scheme, Subdivision, TRIANGLE_LIMIT, subdivide};
pub use sharp::SharpEdges;
