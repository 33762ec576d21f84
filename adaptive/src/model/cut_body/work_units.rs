//! What a frame of a body on a cut costs, in work units.

use crate::model::cut_body::state::CutBody;
use crate::step::multirate::{FRAME_UNITS, Forecast};

// All constants are in evaluations of a tetrahedron with its share of nodes and ghosts, about 20 ns in the groups of a small cut (AVX-512, one core). They
// are fitted to frames of two poked bodies (4,577 and 10,141 skin vertices, 140 to 2,000 tetrahedra): 11 to 19 ns for a node of a constraint, 27 ns for
// a skin vertex; for a change of the cut 1,100 ns for a tetrahedron and 120 ns for a skin vertex.

/// A constraint at each tick, before its nodes are known.
pub(crate) const CONTACT_UNITS: u64 = 4;
/// A node of a constraint, at each impulse.
pub(crate) const ROW_NODE_UNITS: u64 = 1;
/// A skin vertex, once a frame.
pub(crate) const SKIN_UNITS: u64 = 1;
/// An evaluated tetrahedron of the new cut, where the cut changes.
pub(crate) const CHANGE_UNITS: u64 = 55;
/// A skin vertex, where the cut changes.
pub(crate) const CHANGE_SKIN_UNITS: u64 = 6;

impl CutBody {
    /// Work of a frame without a change of the cut.
    pub(crate) fn price(&self, forecast: Forecast) -> u64 {
        let elements = self.dynamics.operators.evaluated().len() as u64;
        let rows = forecast.impulses * self.row_nodes as u64;
        forecast.evaluations
            + u64::from(FRAME_UNITS) * elements
            + ROW_NODE_UNITS * rows
            + SKIN_UNITS * self.dynamics.blend.len() as u64
    }

    /// Work of the last frame in tetrahedron evaluations: firings, what elements, constraints and skin cost besides, and a change of the cut.
    pub(crate) fn units(&self) -> u64 {
        let change = match self.has_changed {
            true => {
                CHANGE_UNITS * self.dynamics.operators.evaluated().len() as u64
                    + CHANGE_SKIN_UNITS * self.dynamics.blend.len() as u64
            }
            false => 0,
        };
        change
            + self.price(Forecast {
                evaluations: self.fired.evaluations,
                impulses: u64::from(self.fired.impulses),
            })
    }
}
