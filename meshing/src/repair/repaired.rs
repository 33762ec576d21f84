//! A repaired surface and what was changed.

use pliant_core::mesh::SurfaceMesh;

use super::error::FILE_UNIT;

/// What [`repair`](crate::repair::repair) gives.
#[derive(Debug, Clone, PartialEq)]
pub struct Repaired {
    /// Closed, edge-manifold, without pinches, counter-clockwise from outside; vertices and triangles in their old order.
    pub surface: SurfaceMesh,
    /// What was changed, in the order of the work; empty for a clean input.
    pub steps: Vec<RepairStep>,
}

/// One kind of change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepairStep {
    /// Name that scripts match on, for example `"Welded"`.
    pub code: &'static str,
    /// How many vertices, faces or components it changed.
    pub count: usize,
    /// A sentence for people.
    pub message: String,
}

impl RepairStep {
    /// Whether the message gives a length or an area in units of the file: they are as in the file, before a scene scales it.
    pub fn gives_lengths(&self) -> bool {
        self.message.contains(FILE_UNIT)
    }
}
