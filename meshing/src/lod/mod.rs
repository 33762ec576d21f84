//! Levels of detail: the same body as tetrahedra of several resolutions, each judged against the input.

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
