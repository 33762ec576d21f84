//! Which group of elements acts at which tick of a frame (Debunne et al. 2001, Fig. 7).

/// A part of a frame in ticks.
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
