//! Levels of detail: the same body as tetrahedra of several resolutions, each judged against the input.
//!
//! [`build_targets`] makes them for node counts or edges, [`build_resolution_sequence`] for a distance from the input, and [`build_given`] from tetrahedra that are there already.
//!
//! ```
//! use pliant_core::{asset::Progress, math::Vec3, mesh::procedural::{CellStyle, box_surface}};
//! use pliant_meshing::lod::build_targets;
//! use pliant_meshing::stuffing::Stuffing;
//! use pliant_meshing::tetrahedralise::TetTarget;
//!
//! let cube = box_surface(Vec3::repeat(0.1), [4; 3], CellStyle::Kuhn);
//! let targets = [TetTarget::Nodes(60), TetTarget::Nodes(400)];
//! let found = build_targets(&cube, &targets, &Stuffing, &Progress::new())?;
//! let counts: Vec<usize> = found.levels.iter().map(|level| level.mesh.nodes.len()).collect();
//! assert!(!counts.is_empty() && counts.is_sorted_by(|coarse, fine| coarse < fine));
//! # Ok::<(), pliant_meshing::error::MeshingError>(())
//! ```

pub(crate) mod builder;
pub(crate) mod by_targets;
mod by_tolerance;
mod bytes;
mod from_tetrahedra;
mod hausdorff;
pub(crate) mod level;
pub(crate) mod notes;
pub(crate) mod resolution_sequence;
pub(crate) mod shape;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod wild_inputs;

pub use crate::tetrahedralise::fits_together::{Unusable, fits_together};
pub use by_targets::{boundary_level, build_targets};
pub use by_tolerance::build_resolution_sequence;
pub use from_tetrahedra::{build_given, targets_below};
pub use level::Level;
pub use notes::remove_unsuitable_levels;
pub use resolution_sequence::{ResolutionSequence, ResolutionSequenceSpec};
pub use shape::Shape;
