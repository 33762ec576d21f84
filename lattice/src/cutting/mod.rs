//! Blades cut links: those that an edge crosses in a frame break when the frame ends, by the same way as links that are strained too much.
//!
//! Links are tested where they are, not where they were at rest. A blade is in the world, and carrying it back into the body at rest has no unique answer outside
//! the body and where pieces lie over each other. What counts is the motion of the edge relative to each link from one frame to the next: the body may move
//! through a blade at rest, and a link that swings or stretches cannot slip past the edge between two frames.

mod blades;
#[cfg(test)]
mod tests;

pub(crate) use blades::Blades;
