//! Compressed matrices of Green's functions.
//!
//! A dense matrix of Green's functions on `n` surface vertices has `n²` blocks. Its columns are smooth except near their own vertex, so they can be stored in a small
//! fraction of the size. This crate compresses columns and sums them without expanding them. It knows neither elasticity nor files: columns come from a closure, and blocks are 3 × 3
//! for displacements under forces, or 1 × 1 for a scalar field such as temperature.
//!
//! There are two forms. Wavelets (James and Pai, *Multiresolution Green's function methods for interactive simulation of large-scale elastostatic objects*, 2003) need a surface with subdivision
//! connectivity, and can be summed at any coarser level. Hierarchical matrices (Hackbusch 1999; Bebendorf 2000) need a symmetric matrix and take any surface.
//!
//! | module | contents |
//! |---|---|
//! | [`subdivision`] | subdivision connectivity: levels of vertices, found in a mesh or given |
//! | [`transform`] | second-generation wavelets on a part of the vertices: forward, inverse, single rows |
//! | [`wavelet`] | thresholded columns, their sums, single blocks |
//! | [`stream`] | wavelet columns as a progressive file: quantised, entropy-coded, coarse first |
//! | [`hierarchical_matrix`] | symmetric matrices as blocks of low rank, for any surface |
//!
//! Errors are those of [`CompressionError`]; numbers are stored as `f32` or `f64` ([`Number`]).
//!
//! Smooth columns on an octahedron that is subdivided three times, kept within 2 %:
//!
//! ```
//! use std::sync::Arc;
//! use pliant_compression::subdivision::SubdivisionHierarchy;
//! use pliant_compression::transform::{TransformSpec, WaveletTransform};
//! use pliant_compression::wavelet::{Columns, ThresholdSpec, WaveletMatrix};
//! use pliant_core::asset::Progress;
//! use pliant_core::math::Vec3;
//!
//! let octahedron = [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
//! let hierarchy = SubdivisionHierarchy::subdivided(6, &octahedron, 3)?;
//! let corners = [Vec3::x(), -Vec3::x(), Vec3::y(), -Vec3::y(), Vec3::z(), -Vec3::z()];
//! let x: Vec<Vec3> = hierarchy.midpoint_positions(&corners).iter().map(|p| p.normalize()).collect();
//! let all = vec![true; x.len()];
//! let transform = Arc::new(WaveletTransform::new(&hierarchy, &all, None, &TransformSpec::default())?);
//! let potential = |column: usize, out: &mut [f64]| {
//!     for (value, row) in out.iter_mut().zip(&x) {
//!         *value = 1.0 / ((row - x[column]).norm() + 0.3);
//!     }
//! };
//! let columns = Columns::new(x.len(), 1, &potential);
//! let spec = ThresholdSpec::new(0.02);
//! let (matrix, report) = WaveletMatrix::<f32>::compress(&transform, &columns, &spec, &Progress::new())?;
//! assert!(report.rms_error < 0.02 && report.compression > 2.0);
//! assert_eq!(matrix.rows(), 258);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Needs Rust 1.95 or newer. There are no feature flags.

mod error;
pub mod hierarchical_matrix;
mod number;
pub mod stream;
pub mod subdivision;
#[cfg(test)]
mod test_bodies;
pub mod transform;
pub mod wavelet;

pub use error::CompressionError;
pub use number::Number;
