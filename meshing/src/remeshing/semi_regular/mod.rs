//! Semi-regular remeshing: any closed manifold surface as a small base mesh that is subdivided, with every vertex on the surface.
//!
//! 1. Vertices are removed down to the base, each step recorded as two triangulations of one plane polygon (successive self-parameterisation, Liu et al. 2021, with the vertex
//!    removals of Lee et al. 1998, MAPS). 2. The base is subdivided at the midpoints and its vertices are taken back to the surface through the records. 3. They slide along the
//!    surface until the triangles are even and none is folded. 4. The result is measured; when it is folded or too far away, a base with half as many triangles more is tried.
//!
//! Levels have the numbering of [`crate::subdivide`]: level l is a prefix of level l + 1.
//!
//! ```
//! use pliant_core::asset::Progress;
//! use pliant_meshing::procedural::{ProceduralSpec, body};
//! use pliant_meshing::remesh::{RemeshSpec, remesh};
//! let torus = body(&ProceduralSpec::new("torus"), &Progress::new())?;
//! let result = remesh(&torus, &RemeshSpec::new(2, None), &Progress::new())?;
//! assert_eq!(result.levels[2].triangles.len(), 16 * result.base().triangles.len());
//! assert!(result.folded_triangles == 0 && result.distance_rel < 0.01);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod attempt;
mod base;
mod base_search;
mod fallback;
mod input;
mod quality;
mod relaxation;
mod result;
mod spec;
#[cfg(test)]
mod tests;

pub use base_search::remesh;
pub use quality::{LevelQuality, level_qualities};
pub use result::{Origin, SemiRegular};
pub use spec::RemeshSpec;
