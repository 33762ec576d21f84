//! Work of a frame of a body on a cut, in work units.

use crate::model::cut_body::state::CutBody;
use crate::step::multirate::{FRAME_UNITS, Forecast};

// All constants are in evaluations of a tetrahedron with its share of nodes and ghosts, about 20 ns in the groups of a small cut (AVX-512, one core). They
// are fitted to frames of two poked bodies (4,577 and 10,141 skin vertices, 140 to 2,000 tetrahedra): 11 to 19 ns for a node of a constraint, 27 ns for
// a skin vertex. A change of the cut was measured on a pad of 6,500 skin vertices with 3,000 and with 10,700 tetrahedra in its cut: 3.4 and 8.5 to 10 ms, of which
// about 1.3 ms do not depend on the cut. They are counted with the skin.

/// A constraint at each tick, before its nodes are known.
pub(crate) const CONTACT_UNITS: u64 = 4;
/// A node of a constraint, at each impulse.
const ROW_NODE_UNITS: u64 = 1;
/// A skin vertex, once a frame.
pub(crate) const SKIN_UNITS: u64 = 1;
/// An evaluated tetrahedron of a cut that is prepared.
const PREPARE_UNITS: u64 = 12;
/// A skin vertex of the same.
const PREPARE_SKIN_UNITS: u64 = 5;
/// An evaluated tetrahedron of a prepared cut when it is first used.
const SWITCH_UNITS: u64 = 30;
/// A skin vertex of the same.
const SWITCH_SKIN_UNITS: u64 = 2;

/// Work of a part of a change of the cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ChangeUnits {
    /// for each evaluated tetrahedron of the new cut
    pub(crate) each: u64,
    /// for each skin vertex
    pub(crate) skin: u64,
}

impl ChangeUnits {
    /// In the frame before the change.
    pub(crate) const PREPARE: Self = Self {
        each: PREPARE_UNITS,
        skin: PREPARE_SKIN_UNITS,
    };
    /// In the frame of the change.
    pub(crate) const SWITCH: Self = Self {
        each: SWITCH_UNITS,
        skin: SWITCH_SKIN_UNITS,
    };
    /// Both in one frame.
    pub(crate) const AT_ONCE: Self = Self {
        each: PREPARE_UNITS + SWITCH_UNITS,
        skin: PREPARE_SKIN_UNITS + SWITCH_SKIN_UNITS,
    };

    /// Work for this number of tetrahedra and skin vertices.
    pub(crate) fn total(self, elements: usize, skin: usize) -> u64 {
        self.each * elements as u64 + self.skin * skin as u64
    }
}

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

    /// Work of the last frame in tetrahedron evaluations: firings, further work of elements, constraints and skin, and changes of the cut.
    pub(crate) fn units(&self) -> u64 {
        self.change_units
            + self.price(Forecast {
                evaluations: self.frame_totals.evaluations,
                impulses: u64::from(self.frame_totals.impulses),
            })
    }
}
