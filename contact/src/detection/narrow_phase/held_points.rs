//! Contact points that boundary conditions hold.

use pliant_core::boundary::{BoundaryConditions, ConstrainedDirections, DisplacementConstraint};
use pliant_core::contact::Tool;

/// Vertices of a body that a tool does not touch: what sticks to a tool is held by the boundary conditions, which move it with the tool.
#[derive(Clone, Copy)]
pub(crate) struct HeldPoints<'a>(&'a [DisplacementConstraint]);

impl<'a> HeldPoints<'a> {
    /// Those of a body with this `boundary`; none for a tool without adhesion.
    pub fn of(tool: &Tool, boundary: &'a BoundaryConditions) -> Self {
        Self(match tool.adhesion {
            Some(_) => boundary.displacements(),
            None => &[],
        })
    }

    /// Whether a vertex is held in all directions.
    pub(super) fn contain(&self, vertex: u32) -> bool {
        let found = self.0.binary_search_by_key(&vertex, |c| c.vertex);
        found.is_ok_and(|k| self.0[k].directions == ConstrainedDirections::All)
    }
}
