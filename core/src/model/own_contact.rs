//! Models with contact detection of their own.

use crate::contact::{PushedVertex, Tool, ToolWrench};

/// Contact detection of a model that finds its contacts with tools itself.
pub trait OwnContact {
    /// Sets the tools of the next frame, with their poses at its beginning and end. Where a body sticks to a tool ([`Tool::adhesion`]), the boundary conditions of the frame hold it: such a
    /// tool does not touch the vertices that they hold in all directions.
    fn set_tools(&mut self, tools: &[Tool]);

    /// Writes the vertices of the skin that tools with adhesion pushed in the last frame.
    fn write_pushed(&self, out: &mut Vec<PushedVertex>);

    /// Force and torque on each tool by the contacts that the model finds, mean over the last frame, in the order of the tools.
    fn wrenches(&self) -> &[ToolWrench];

    /// Figures of the last frame.
    fn contact_counts(&self) -> ContactCounts;
}

/// Figures of contact in one frame.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ContactCounts {
    /// Number of bodies.
    pub bodies: usize,
    /// Number of bodies that sleep and are not stepped.
    pub asleep: usize,
    /// Number of pairs of bodies whose boxes overlap.
    pub pairs: usize,
    /// Number of contact rows.
    pub rows: usize,
    /// Deepest penetration at the beginning of the frame, m.
    pub depth: f64,
    /// Wall time for finding contacts, ms. Never enters a result.
    pub find_ms: f64,
    /// Wall time for building contact rows, ms. Never enters a result.
    pub rows_ms: f64,
    /// Wall time for solving impulses, ms. Never enters a result.
    pub solve_ms: f64,
    /// Wall time for the bodies' own steps, ms. Never enters a result.
    pub step_ms: f64,
    /// Wall time for updating contact points afterwards, ms. Never enters a result.
    pub points_ms: f64,
    /// Wall time of the whole frame, ms. Never enters a result.
    pub frame_ms: f64,
}
