//! Wavelet matrices as a progressive stream of bytes: any beginning of it is a coarser model (James and Pai 2003; the entropy coder is our own).
//!
//! Each coefficient is rounded to a multiple of a step. The step depends on the level and on the largest block of the column, as the threshold does. A column is predicted from
//! columns of the coarser level, which are coded before it. Adaptive binary models and a range coder code the differences. A reader gets the same bits on every machine: apart from
//! ratios of two amplitudes, steps, and products of integers with steps all is integer arithmetic, and IEEE 754 rounds these three alike everywhere.
//!
//! | part | bytes | holds |
//! |---|---|---|
//! | header | `GFW1`, version, length, body, checksum | transform, hierarchy, domain, areas, an amplitude a column |
//! | extra block | length, bytes, checksum | what the caller adds: skin, supports |
//! | packets | stage, columns, length, bytes, checksum | blocks, coarse levels first |
//!
//! The first packets are a preview: the base level of all columns, in steps twice as large as those of the finest level. Packets of level 0 refine it, and those of each finer level
//! add details. A stream that ends early gives the content of its complete packets.
//!
//! ```
//! use std::sync::Arc;
//! use pliant_compression::stream::{ReadLimits, StreamSpec, TransformSource, read, write};
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
//! let threshold = ThresholdSpec::new(0.02);
//! let (matrix, _) = WaveletMatrix::<f32>::compress(&transform, &columns, &threshold, &Progress::new())?;
//!
//! let source = TransformSource { hierarchy: &hierarchy, areas: None };
//! let spec = StreamSpec { epsilon: 0.02, ..StreamSpec::default() };
//! let bytes = write(&matrix, &source, b"skin", &spec)?;
//! let dense = 4 * matrix.rows() * matrix.columns();
//! assert!(bytes.len() * 20 < dense);
//!
//! let whole = read(&bytes, &ReadLimits::default())?;
//! assert_eq!(whole.available_level, Some(3));
//! let begin = read(&bytes[..bytes.len() / 2], &ReadLimits::default())?;
//! assert_eq!(begin.extra, b"skin");
//! assert!(begin.available_level < Some(3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod blocks;
mod bytes;
mod coder;
mod error;
mod header;
mod memory;
mod plan;
mod read;
mod spec;
#[cfg(test)]
mod tests;
mod write;

pub use error::StreamError;
pub use plan::Stage;
pub use read::{Packet, StreamContent, StreamReader, read};
pub use spec::{ReadLimits, StreamSpec, TransformSource};
pub use write::write;
