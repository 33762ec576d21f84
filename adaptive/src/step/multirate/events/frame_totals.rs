//! The totals of a frame: energies, impulses, and counts of work.

use pliant_core::math::Vec3;

use crate::step::multirate::groups::group::Group;

/// Totals of a frame.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FrameTotals {
    /// Energy that damping took, J.
    pub dissipated: f64,
    /// Work of constraints and loads, J.
    pub work: f64,
    /// Impulse on each support, N·s.
    pub support_impulses: Vec<Vec3>,
    /// Tetrahedra evaluated.
    pub evaluations: u64,
    /// Nodes that were drifted to the time of a firing and kicked by it.
    pub node_updates: u64,
    /// Ghosts that were interpolated for a firing, and whose forces were distributed.
    pub ghost_updates: u64,
    /// Firings of groups.
    pub firings: u32,
    /// Times that constraints acted.
    pub impulses: u32,
    /// Ticks of the frame.
    pub ticks: u32,
    /// Largest number of nearly inverted tetrahedra with recovery forces in one firing.
    pub blended: u32,
}

impl FrameTotals {
    /// Resets all totals, for a body with this number of supports.
    pub(crate) fn reset(&mut self, supports: usize) {
        let mut support_impulses = std::mem::take(&mut self.support_impulses);
        support_impulses.clear();
        support_impulses.resize(supports, Vec3::zeros());
        *self = Self {
            support_impulses,
            ..Self::default()
        };
    }

    /// Counts one firing of `group`.
    pub(crate) fn count(&mut self, group: &Group) {
        self.evaluations += group.element_count() as u64;
        self.node_updates += group.masters().len() as u64;
        self.ghost_updates += group.ghost_count() as u64;
        self.firings += 1;
    }
}
