//! What a frame of a body on a cut costs, in work units.

use crate::model::cut_body::state::CutBody;
use crate::step::multirate::{FRAME_UNITS, Forecast};

// All in evaluations of a tetrahedron with its share of nodes and ghosts, about 20 ns in the groups of a small cut (AVX-512, one core); fitted to frames
// of two poked bodies (4,577 and 10,141 skin vertices, 140 to 2,000 tetrahedra): 11 to 19 ns a node of a constraint, 27 a skin vertex, for a change
// 1,100 a tetrahedron and 120 a skin vertex.

/// What a constraint is thought to cost a tick before its nodes are known, and a node of it; what a skin vertex costs a frame.
pub(crate) const CONTACT_UNITS: u64 = 4;
pub(crate) const ROW_NODE_UNITS: u64 = 1;
pub(crate) const SKIN_UNITS: u64 = 1;
/// What a change of the cut costs for each evaluated tetrahedron of the new one, and for each skin vertex.
pub(crate) const CHANGE_UNITS: u64 = 55;
pub(crate) const CHANGE_SKIN_UNITS: u64 = 6;

impl CutBody {
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
