//! The ticks of a frame, what constraints bring into it, and what came of it.

use pliant_core::contact::VelocityProjection;
use pliant_core::math::Vec3;

use crate::contact::ContactWork;
use crate::step::multirate::group::Group;

/// Constraints of a frame on active nodes.
#[derive(Debug, Default)]
pub struct ContactPart<'a> {
    /// Constraints, begun for this frame over the numbers of the forest.
    pub projection: Option<&'a mut VelocityProjection>,
    /// Account of their work.
    pub work: Option<&'a mut ContactWork>,
    /// Nodes behind them, ascending.
    pub nodes: &'a [u32],
    /// Longest time between two impulses, s; 0 for as long as the elements around wish.
    pub longest: f64,
}

/// What a frame did.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Fired {
    /// Energy that damping took, J.
    pub dissipated: f64,
    /// Work of constraints and loads, J.
    pub work: f64,
    /// Impulse on each support, N·s: what it carried.
    pub support_impulses: Vec<Vec3>,
    /// Tetrahedra evaluated.
    pub evaluations: u64,
    /// Nodes that were brought to the time of a firing and kicked by it.
    pub node_updates: u64,
    /// Ghosts that were placed for a firing, and whose forces were handed on.
    pub ghost_updates: u64,
    /// Firings of groups.
    pub firings: u32,
    /// Times that constraints acted.
    pub impulses: u32,
    /// Ticks of the frame.
    pub ticks: u32,
    /// Largest number of nearly inverted tetrahedra that were pushed open in one firing.
    pub blended: u32,
}

impl Fired {
    /// Nothing yet, for a body with so many supports.
    pub(crate) fn begin(&mut self, supports: usize) {
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

/// A part of a frame in ticks.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Beat {
    /// of the whole frame, s
    pub(crate) frame: f64,
    /// of this part, s
    pub(crate) duration: f64,
    /// s after the frame began
    pub(crate) begin: f64,
    /// step level of a tick
    pub(crate) deepest: u8,
    pub(crate) contact_level: u8,
    pub(crate) is_constrained: bool,
    /// of the part
    pub(crate) ticks: u32,
    /// length of a tick, s
    pub(crate) tick: f64,
}

impl Beat {
    /// Ticks of the part.
    pub(crate) fn ticks(&self) -> u32 {
        self.ticks
    }

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
