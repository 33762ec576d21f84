//! Cutting: what a blade sweeps in a frame, and what it crosses there.
//!
//! A blade is a tool ([`crate::contact::ToolShape::Blade`]). From frame to frame its edge sweeps a surface, the [`BladeSweep`]. What the surface crosses is cut.
//! How a body comes apart is its model's affair ([`crate::model::DeformableModel::set_blades`]).

mod error;
mod line_side;
mod ruled_surface;
mod sides_beyond;
mod sweep;
#[cfg(test)]
mod tests;

pub use error::CannotCut;
pub use sides_beyond::sides_beyond;
pub use sweep::{BladeEdge, BladeSweep};
