//! Bodies made by us: signed distance functions skinned with nearly equal triangles, and structured boxes.
//!
//! Bodies stand on y = 0, y up, facing +z, centred in x and z; `box` and `bar` are centred at the origin. The same request gives
//! the same bits, and bodies that differ only in scale have the same triangles.
//!
//! ```
//! use pliant_core::asset::Progress;
//! use pliant_meshing::procedural::{ProceduralSpec, body};
//! let spec = ProceduralSpec { longest: Some(0.1), ..ProceduralSpec::new("kidney") };
//! let kidney = body(&spec, &Progress::new())?;
//! assert!((kidney.bounds().size().max() - 0.1).abs() < 1e-12);
//! # Ok::<(), pliant_meshing::procedural::ProceduralError>(())
//! ```

mod bodies;
mod error;
pub(crate) mod make;
mod march;
mod model;
mod sdf;
mod skin;
pub(crate) mod spec;
#[cfg(test)]
mod tests;

pub use bodies::table::names;
pub use error::ProceduralError;
pub use make::body;
pub use spec::ProceduralSpec;
