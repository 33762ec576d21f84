//! Models that find their contacts with tools by themselves.

use crate::contact::{Tool, ToolWrench};

/// A model that finds its contacts with tools by itself.
pub trait OwnContact {
    /// Tools of the next frame, with their poses at its beginning and end.
    fn set_tools(&mut self, tools: &[Tool]);

    /// Force and torque on each tool, mean over the last frame, in the order of the tools.
    fn wrenches(&self) -> &[ToolWrench];

    /// Figures of the last frame.
    fn contact_counts(&self) -> ContactCounts;
}

/// Figures of contact in one frame.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ContactCounts {
    /// Bodies.
    pub bodies: usize,
    /// Bodies that rest and are not computed.
    pub asleep: usize,
    /// Pairs of bodies whose boxes overlap.
    pub pairs: usize,
    /// Contact rows.
    pub rows: usize,
    /// Deepest penetration at the beginning of the frame, m.
    pub depth: f64,
    /// Wall time for finding contacts, ms. Never enters a result.
    pub find_ms: f64,
    /// Wall time for the rows that follow from them, ms. Never enters a result.
    pub rows_ms: f64,
    /// Wall time for impulses, ms. Never enters a result.
    pub solve_ms: f64,
    /// Wall time for the bodies' own steps, ms. Never enters a result.
    pub step_ms: f64,
    /// Wall time for contact points where they are afterwards, ms. Never enters a result.
    pub points_ms: f64,
    /// Wall time of the whole frame, ms. Never enters a result.
    pub frame_ms: f64,
}
