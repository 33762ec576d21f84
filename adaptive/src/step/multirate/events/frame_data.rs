//! What a frame of a cut is given, and what it gives: constraints, the schedule of its ticks, and totals.

use pliant_core::contact::VelocityProjection;
use pliant_core::math::Vec3;

use crate::contact::ContactWork;
use crate::step::multirate::groups::group::Group;

/// Constraints of a frame on active nodes.
#[derive(Debug, Default)]
pub struct FrameConstraints<'a> {
    /// The projection, started for this frame; its nodes are those of the forest.
    pub projection: Option<&'a mut VelocityProjection>,
    /// Accounting of their work.
    pub work: Option<&'a mut ContactWork>,
    /// Nodes of the constraints, ascending.
    pub nodes: &'a [u32],
    /// Longest time between two impulses, s; 0 for the step of the elements around.
    pub longest_step: f64,
}

/// A part of a frame in ticks: which group of elements acts at which of them (Debunne et al. 2001, Fig. 7).
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SubstepSchedule {
    /// of the whole frame, s
    pub(crate) frame: f64,
    /// of this part, s
    pub(crate) duration: f64,
    /// s after the frame began
    pub(crate) start: f64,
    /// step level of a tick
    pub(crate) deepest: u8,
    pub(crate) contact_level: u8,
    pub(crate) is_constrained: bool,
    /// of the part
    pub(crate) ticks: u32,
    /// length of a tick, s
    pub(crate) tick: f64,
}

impl SubstepSchedule {
    pub(crate) fn is_due(&self, level: u8, now: u32) -> bool {
        now.is_multiple_of(1 << (self.deepest - level))
    }

    pub(crate) fn contact_is_due(&self, now: u32) -> bool {
        self.is_constrained && self.is_due(self.contact_level, now)
    }

    /// Step of a level, s.
    pub(crate) fn step(&self, level: u8) -> f64 {
        self.duration / f64::from(1_u32 << level)
    }
}

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
