//! Cutting: the surface that a blade sweeps in a frame, and the segments that it crosses.
//!
//! A blade is a tool ([`crate::contact::ToolShape::Blade`]). In each frame its edge sweeps a surface, the [`BladeSweep`]. What the surface crosses is cut.
//! The model decides how its body comes apart ([`crate::model::DeformableModel::set_blades`]).

mod ruled_surface;
mod sweep;
#[cfg(test)]
mod tests;
mod turning;
mod winding;

pub use sweep::{BladeEdge, BladeSweep, ConsistentCrossings, outcode};

/// The method cannot cut bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "it cannot cut a body\n  remedy: use the lattice or the adaptive method, or leave out the tools whose shape is a blade"
)]
pub struct CannotCut;

impl CannotCut {
    /// The name of the error, its code in the JSON output.
    pub fn code(&self) -> &'static str {
        "CannotCut"
    }
}
